import { Button, Modal } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { deliveriesQuery, deliveryQuery, integrationQuery } from "../../api/alert-queries";
import { body, control } from "../../api/client";
import { Problem } from "../../api/problem";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { duration } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { ago, formatTime } from "../../lib/time-range";
import { useVersionedForm } from "../../lib/versioned-form";
import { Code } from "../../ui/code";
import { Confirm } from "../../ui/confirm";
import { Outdated } from "../../ui/outdated";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";
import { groupingTexts, HealthOf, INTEGRATION_KINDS, IntegrationFields, integrationOf, type IntegrationForm } from "./integrations-page";

/** One integration, and what became of its messages. */
export function IntegrationPage() {
  const { organization, environment } = useScope();
  const { integration: id = "" } = useParams({ strict: false }) as { integration?: string };
  const mayRead = useAllowed("integrations:read");
  const query = useQuery({ ...integrationQuery(organization, environment, id), enabled: mayRead === true });
  const missing = query.error instanceof Problem && query.error.status === 404;
  return (
    <>
      <PageHead title={query.data ? `Integration: ${displayed(query.data.data.name, 80)}` : "Integration"} />
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? (
          <Forbidden permission="integrations:read" what="see integrations" />
        ) : missing ? (
          <Empty title="There is no such integration">
            <Link to={"/o/$org/e/$env/alerts/integrations" as string} params={{ org: organization, env: environment } as never}>
              All integrations
            </Link>
          </Empty>
        ) : (
          <Loaded query={query}>{({ data, etag }) => <Detail key={data.id} integration={data} etag={etag} />}</Loaded>
        )}
      </div>
    </>
  );
}

function Detail({ integration, etag }: { integration: Schemas["Integration"]; etag: string }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayWrite = useAllowed("integrations:write") === true;
  const path = { organization_id: organization, environment_id: environment, integration_id: integration.id };
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const again = async () => {
    await client.invalidateQueries({ queryKey: [organization, environment, "integration", integration.id] });
    await client.invalidateQueries({ queryKey: [organization, environment, "integrations"] });
  };
  const test = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}/test", { params: { path } })),
    onSuccess: again,
  });
  const rotate = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}/rotate-secret", { params: { path } })),
    // The secret does not wait for what is read.
    onSuccess: () => void again(),
  });
  const enable = useMutation({
    mutationFn: () => {
      const { name, kind, url, severities, labels, heartbeat_minutes, group_messages } = integration;
      const stopped = integration.disabled_reason !== undefined;
      return body(
        control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}", {
          params: { path, header: { "If-Match": etag } },
          body: { name, kind, url, severities, labels, enabled: stopped || !integration.enabled, ...(heartbeat_minutes === undefined ? {} : { heartbeat_minutes }), ...(group_messages === undefined ? {} : { group_messages }) },
        }),
      );
    },
    onSettled: again,
  });
  const remove = useMutation({
    mutationFn: () => body(control.DELETE("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}", { params: { path, header: { "If-Match": etag } } })),
    onSuccess: async () => {
      await navigate({ to: "/o/$org/e/$env/alerts/integrations" as string, params: { org: organization, env: environment } as never });
      await client.invalidateQueries({ queryKey: [organization, environment, "integrations"] });
    },
    onError: again,
  });
  return (
    <div className="stack wide">
      <div className="row">
        <HealthOf integration={integration} />
        <span>{INTEGRATION_KINDS[integration.kind]}</span>
        <span className="mono small break">{displayed(integration.url, 200)}</span>
        {integration.old_secret_until && <span className="quiet small">Signed with the old secret too until {formatTime(integration.old_secret_until, zone, "minute")}.</span>}
      </div>
      {mayWrite && (
        <div className="row">
          <Button loading={test.isPending} onClick={() => test.mutate()}>
            Send a test message
          </Button>
          <Button variant="default" onClick={() => setEditing(true)}>
            Change
          </Button>
          <Button variant="default" loading={enable.isPending} onClick={() => enable.mutate()}>
            {integration.disabled_reason ? "Deliver again" : integration.enabled ? "Disable" : "Enable"}
          </Button>
          <Button variant="default" loading={rotate.isPending} onClick={() => rotate.mutate()}>
            Replace the secret
          </Button>
          <Button variant="default" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </div>
      )}
      {test.isSuccess && <Note>The test message is in the log below.</Note>}
      {[test.error, enable.error, rotate.error].filter(Boolean).map((fault, index) => (
        <Failure key={index} fault={fault} />
      ))}
      <Deliveries integration={integration.id} mayWrite={mayWrite} />
      {rotate.data && (
        <Modal
          opened
          onClose={() => rotate.reset()}
          title="The new secret"
          centered
          size="lg"
          closeOnClickOutside={false}
        >
          <div className="stack">
            <Code label="Signing secret" text={rotate.data.secret ?? ""} />
            <Note tone="warn">This is the only time that it is shown. For a day messages are signed with the old one too.</Note>
          </div>
        </Modal>
      )}
      {editing && <Change integration={integration} etag={etag} again={again} close={() => setEditing(false)} />}
      {deleting && (
        <Confirm title={`Delete ${displayed(integration.name, 60)}`} action="Delete integration" close={() => setDeleting(false)} run={() => remove.mutate()} pending={remove.isPending} fault={remove.error} type={integration.name}>
          <p>What was not delivered yet is not delivered any more, and the log goes.</p>
        </Confirm>
      )}
    </div>
  );
}

function formOf(integration: Schemas["Integration"]): IntegrationForm {
  return {
    name: integration.name,
    kind: integration.kind,
    url: integration.url,
    routingKey: "",
    heartbeat: String(integration.heartbeat_minutes ?? ""),
    ...groupingTexts(integration.group_messages),
    severities: integration.severities,
    labels: Object.entries(integration.labels)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
  };
}

function Change({ integration, etag, again, close }: { integration: Schemas["Integration"]; etag: string; again: () => Promise<void>; close: () => void }) {
  const { organization, environment } = useScope();
  const edited = useVersionedForm(formOf(integration), etag);
  const form = edited.text;
  const draft = integrationOf(form, integration.enabled);
  const change = useMutation({
    mutationFn: (sent: Schemas["IntegrationDraft"]) =>
      body(
        control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}", {
          params: { path: { organization_id: organization, environment_id: environment, integration_id: integration.id }, header: { "If-Match": edited.etag } },
          body: sent,
        }),
      ),
    onSuccess: close,
    onSettled: again,
  });
  return (
    <Modal opened onClose={close} title={`Change ${displayed(integration.name, 60)}`} centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (draft) change.mutate(draft);
        }}
      >
        <IntegrationFields form={form} put={(part) => edited.put({ ...form, ...part })} isNew={false} />
        {change.error && <Failure fault={change.error} />}
        <Outdated form={edited} reset={change.reset} />
        <Button type="submit" loading={change.isPending} disabled={!draft || draft.name === ""}>
          Save
        </Button>
      </form>
    </Modal>
  );
}

const TONES: Record<Schemas["DeliveryState"], string> = { waiting: "warn", delivered: "ok", failed: "danger" };

function Deliveries({ integration, mayWrite }: { integration: string; mayWrite: boolean }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const now = useNow();
  const log = useInfiniteQuery(deliveriesQuery(organization, environment, integration));
  const [open, setOpen] = useState<string>();
  return (
    <section className="stack" aria-label="Delivery log">
      <h2>Delivery log</h2>
      <Loaded query={log}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.data);
          return all.length === 0 ? (
            <p className="quiet">No message was sent so far.</p>
          ) : (
            <>
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Message</th>
                    <th>State</th>
                    <th className="num">Attempts</th>
                    <th>Sent</th>
                    <th>Next</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map((each) => (
                    <tr key={each.id}>
                      <td data-label="Message">
                        <button type="button" className="plain-button" onClick={() => setOpen(each.id)}>
                          {each.type}
                        </button>
                        {(each.transition_count ?? 1) > 1 && <div className="quiet small">with {(each.transition_count ?? 1) - 1} more</div>}
                      </td>
                      <td data-label="State">
                        <span className={`badge ${TONES[each.state]}`}>{each.state}</span>
                      </td>
                      <td data-label="Attempts" className="num">
                        {each.attempt_count ?? 0}
                      </td>
                      <td data-label="Sent" className="nowrap">
                        {formatTime(each.delivered_at ?? each.created_at, zone)}
                      </td>
                      <td data-label="Next" className="nowrap">
                        {each.next_attempt_at ? (Date.parse(each.next_attempt_at) <= now ? "now" : `in ${duration((Date.parse(each.next_attempt_at) - now) / 1000)}`) : ""}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {log.hasNextPage && (
                <Button variant="default" w="fit-content" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                  Show older messages
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
      {open !== undefined && <Message integration={integration} id={open} mayWrite={mayWrite} close={() => setOpen(undefined)} />}
    </section>
  );
}

/** A message with its attempts, and the button that sends it again. */
function Message({ integration, id, mayWrite, close }: { integration: string; id: string; mayWrite: boolean; close: () => void }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const now = useNow();
  const client = useQueryClient();
  const delivery = useQuery(deliveryQuery(organization, environment, integration, id));
  const resend = useMutation({
    mutationFn: () =>
      body(
        control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}/deliveries/{delivery_id}/resend", {
          params: { path: { organization_id: organization, environment_id: environment, integration_id: integration, delivery_id: id } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: [organization, environment, "integration", integration, "deliveries"] }),
  });
  return (
    <Modal opened onClose={close} title="Message" size="xl" centered>
      <Loaded query={delivery}>
        {(found) => (
          <div className="stack">
            <div className="row">
              <span className={`badge ${TONES[found.state]}`}>{found.state}</span>
              <span>{found.type}</span>
              <span className="mono small break">{found.message_id}</span>
              <span className="quiet small">made {ago(found.created_at, now)}</span>
            </div>
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Attempt</th>
                  <th className="num">Took</th>
                  <th>Answer</th>
                </tr>
              </thead>
              <tbody>
                {found.attempts.map((each, index) => (
                  <tr key={index}>
                    <td data-label="Attempt">
                      {formatTime(each.at, zone)}
                      {each.request && <div className="mono small break">{displayed(each.request.url, 200)}</div>}
                      {each.request &&
                        Object.entries(each.request.headers).map(([name, value]) => (
                          <div key={name} className="mono small quiet break">
                            {displayed(`${name}: ${value}`, 200)}
                          </div>
                        ))}
                    </td>
                    <td data-label="Took" className="num">
                      {each.duration_ms} ms
                    </td>
                    <td data-label="Answer" className="break">
                      {each.status !== undefined && <span className={`badge ${each.status < 300 ? "ok" : "danger"}`}>{each.status}</span>} {displayed(each.error ?? "", 200)}
                      {each.answer && <div className="mono small">{displayed(each.answer, 400)}</div>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {found.attempts.length === 0 && <p className="quiet">Not tried yet.</p>}
            {found.group !== undefined && found.attempts.length === 0 && <p className="quiet">It may share its message with others of {displayed(found.group, 120)}.</p>}
            {(found.transition_ids ?? []).length > 1 && (
              <details>
                <summary>{found.transition_ids?.length} transitions share this message</summary>
                {found.transition_ids?.map((each) => (
                  <div key={each} className={each === found.transition_id ? "mono small break" : "mono small quiet break"}>
                    {displayed(each, 120)}
                  </div>
                ))}
              </details>
            )}
            <Code wrapped label="Body as sent" text={found.body ?? ""} />
            {resend.error && <Failure fault={resend.error} />}
            {resend.isSuccess && <Note>It is sent again under the same identifier; it is the newest in the log.</Note>}
            {mayWrite && (
              <Button w="fit-content" variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
                Send again
              </Button>
            )}
          </div>
        )}
      </Loaded>
    </Modal>
  );
}
