import { Button, Checkbox, Modal, Select, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { integrationsQuery } from "../../api/alert-queries";
import { body, control, once } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { pairsOf } from "../../lib/alert";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { useScope } from "../../lib/scope";
import { ago } from "../../lib/time-range";
import { Code } from "../../ui/code";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";

export const INTEGRATION_KINDS: Record<Schemas["IntegrationKind"], string> = {
  webhook: "Webhook (Standard Webhooks)",
  health_plus: "Webhook as of Health+",
  slack: "Slack",
  teams: "Microsoft Teams",
  pagerduty: "PagerDuty",
  opsgenie: "Opsgenie",
  email: "Email",
};

/** Where incidents are told. */
export function IntegrationsPage() {
  const mayRead = useAllowed("integrations:read");
  const mayWrite = useAllowed("integrations:write") === true;
  const [creating, setCreating] = useState(false);
  return (
    <>
      <PageHead title="Integrations" note="Where incidents are told. Each message is signed, tried again for days, and in a log.">
        {mayWrite && <Button onClick={() => setCreating(true)}>New integration</Button>}
      </PageHead>
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? <Forbidden permission="integrations:read" what="see integrations" /> : mayRead === undefined ? <Skeleton /> : <List />}
      </div>
      {creating && <Create close={() => setCreating(false)} />}
    </>
  );
}

/** Whether messages are delivered, in a word. */
export function HealthOf({ integration }: { integration: Schemas["Integration"] }) {
  const now = useNow();
  if (!integration.enabled) return <span className="badge">disabled</span>;
  if (integration.disabled_reason) return <span className="badge danger">stopped: {displayed(integration.disabled_reason, 60)}</span>;
  if (integration.failing_since) return <span className="badge warn">failing since {ago(integration.failing_since, now)}</span>;
  return <span className="badge ok">delivering</span>;
}

function List() {
  const { organization, environment } = useScope();
  const integrations = useQuery(integrationsQuery(organization, environment));
  return (
    <Loaded query={integrations}>
      {(all) =>
        all.length === 0 ? (
          <Empty title="Nobody is told yet">
            <p>Incidents are opened and shown here. An integration tells people or machines of them as they happen.</p>
          </Empty>
        ) : (
          <table className="data as-list">
            <thead>
              <tr>
                <th>Integration</th>
                <th>Kind</th>
                <th>State</th>
                <th>Address</th>
                <th>Told of</th>
              </tr>
            </thead>
            <tbody>
              {all.map((each) => (
                <tr key={each.id}>
                  <td data-label="Integration" className="break">
                    <Link to={"/o/$org/e/$env/alerts/integrations/$integration" as string} params={{ org: organization, env: environment, integration: each.id } as never}>
                      {displayed(each.name)}
                    </Link>
                  </td>
                  <td data-label="Kind">{INTEGRATION_KINDS[each.kind]}</td>
                  <td data-label="State">
                    <HealthOf integration={each} />
                  </td>
                  <td data-label="Address" className="mono break">
                    {displayed(each.url, 80)}
                  </td>
                  <td data-label="Told of" className="break">
                    {each.severities.length === 0 ? "all severities" : each.severities.join(", ")}
                    {Object.entries(each.labels).map(([name, value]) => ` ${name}=${value}`)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      }
    </Loaded>
  );
}

export interface IntegrationForm {
  name: string;
  kind: Schemas["IntegrationKind"];
  url: string;
  routingKey: string;
  heartbeat: string;
  groupBy: string;
  groupWait: string;
  groupMost: string;
  severities: string[];
  labels: string;
}

type Grouping = Schemas["MessageGrouping"];

/** Kinds whose transitions may share messages; the others group them themselves. */
const GROUPABLE: Schemas["IntegrationKind"][] = ["webhook", "slack", "teams", "email"];

/** Texts of the form, for what an integration has. */
export function groupingTexts(grouping: Grouping | undefined): Pick<IntegrationForm, "groupBy" | "groupWait" | "groupMost"> {
  return { groupBy: (grouping?.by ?? []).join(", "), groupWait: String(grouping?.wait_seconds ?? ""), groupMost: String(grouping?.max_transitions ?? "") };
}

/** Undefined when a figure is none; null when nothing is said. */
function groupingOf(form: IntegrationForm): Grouping | null | undefined {
  const by = form.groupBy
    .split(",")
    .map((label) => label.trim())
    .filter((label) => label !== "");
  const wait = form.groupWait.trim();
  const most = form.groupMost.trim();
  if (!GROUPABLE.includes(form.kind) || (by.length === 0 && wait === "" && most === "")) return null;
  if ((wait !== "" && !isWhole(Number(wait), 0, 300)) || (most !== "" && !isWhole(Number(most), 1, 100))) return undefined;
  return { ...(by.length === 0 ? {} : { by }), ...(wait === "" ? {} : { wait_seconds: Number(wait) }), ...(most === "" ? {} : { max_transitions: Number(most) }) };
}

/** What is sent; undefined when labels are no lines of name and value, or a figure is none. */
export function integrationOf(form: IntegrationForm, enabled: boolean): Schemas["IntegrationDraft"] | undefined {
  const labels = pairsOf(form.labels);
  const heartbeat = form.heartbeat.trim() === "" ? undefined : Number(form.heartbeat);
  const grouping = groupingOf(form);
  if (labels === undefined || grouping === undefined || (heartbeat !== undefined && !isMinutes(heartbeat))) return undefined;
  return {
    name: form.name.trim(),
    kind: form.kind,
    url: form.url.trim(),
    enabled,
    severities: form.severities as Schemas["AlertSeverity"][],
    labels,
    ...(heartbeat === undefined ? {} : { heartbeat_minutes: heartbeat }),
    ...(grouping === null ? {} : { group_messages: grouping }),
    ...(form.routingKey !== "" ? { routing_key: form.routingKey } : {}),
  };
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function isMinutes(value: number): boolean {
  return isWhole(value, 1, 1440);
}

export function IntegrationFields({ form, put, isNew }: { form: IntegrationForm; put: (part: Partial<IntegrationForm>) => void; isNew: boolean }) {
  const needsKey = form.kind === "pagerduty" || form.kind === "opsgenie";
  return (
    <>
      <TextInput label="Name" maxLength={120} {...(isNew ? { "data-autofocus": true } : {})} value={form.name} onChange={(event) => put({ name: event.currentTarget.value })} />
      <Select label="Kind" disabled={!isNew} allowDeselect={false} data={Object.entries(INTEGRATION_KINDS).map(([value, label]) => ({ value, label }))} value={form.kind} onChange={(value) => put({ kind: (value ?? "webhook") as Schemas["IntegrationKind"] })} />
      <TextInput label="Address" description={form.kind === "email" ? "mailto: and one address, as in mailto:ops@example.org." : "https, at a public address."} maxLength={2000} value={form.url} onChange={(event) => put({ url: event.currentTarget.value })} />
      {needsKey && <TextInput label="Routing key" description={isNew ? "Kept sealed and never shown again." : "Leave it empty to keep the one that is set."} maxLength={255} autoComplete="off" value={form.routingKey} onChange={(event) => put({ routingKey: event.currentTarget.value })} />}
      {!needsKey && (
        <TextInput
          label="Heartbeat every minutes"
          description="Says that alerts are decided, as long as they are. Empty: never."
          inputMode="numeric"
          value={form.heartbeat}
          error={form.heartbeat.trim() !== "" && !isMinutes(Number(form.heartbeat)) ? "Whole minutes, 1 to 1440." : undefined}
          onChange={(event) => put({ heartbeat: event.currentTarget.value })}
        />
      )}
      {GROUPABLE.includes(form.kind) && (
        <>
          <TextInput
            label="Most transitions in a message"
            description={`1 sends each by itself. Empty: ${form.kind === "webhook" ? "each by itself" : "50"}.`}
            inputMode="numeric"
            value={form.groupMost}
            error={form.groupMost.trim() !== "" && !isWhole(Number(form.groupMost), 1, 100) ? "A whole number, 1 to 100." : undefined}
            onChange={(event) => put({ groupMost: event.currentTarget.value })}
          />
          <TextInput
            label="Seconds that a message waits for more"
            description="Empty: 5."
            inputMode="numeric"
            value={form.groupWait}
            error={form.groupWait.trim() !== "" && !isWhole(Number(form.groupWait), 0, 300) ? "Whole seconds, 0 to 300." : undefined}
            onChange={(event) => put({ groupWait: event.currentTarget.value })}
          />
          <TextInput label="Together when these are the same" description="Labels with commas, as in rule_id, labels.team, metric.queue. Empty: the rule." maxLength={2000} value={form.groupBy} onChange={(event) => put({ groupBy: event.currentTarget.value })} />
        </>
      )}
      <Checkbox.Group label="Severities" description="None chosen: all." value={form.severities} onChange={(severities) => put({ severities })}>
        <div className="row">
          {["critical", "warning", "info"].map((each) => (
            <Checkbox key={each} size="xs" value={each} label={each} />
          ))}
        </div>
      </Checkbox.Group>
      <Textarea label="Only incidents with these labels" description="One a line, as in team: streaming." rows={2} value={form.labels} error={pairsOf(form.labels) === undefined ? "One label a line, as in team: streaming." : undefined} onChange={(event) => put({ labels: event.currentTarget.value })} />
    </>
  );
}

function Create({ close }: { close: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const [form, setForm] = useState<IntegrationForm>({ name: "", kind: "webhook", url: "https://", routingKey: "", heartbeat: "", ...groupingTexts(undefined), severities: [], labels: "" });
  const [key] = useState(once);
  const draft = integrationOf(form, true);
  const create = useMutation({
    mutationFn: (sent: Schemas["IntegrationDraft"]) =>
      body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations", { params: { path: { organization_id: organization, environment_id: environment }, header: key }, body: sent })),
    onSuccess: () => client.invalidateQueries({ queryKey: [organization, environment, "integrations"] }),
  });
  if (create.data) {
    return (
      <Modal opened onClose={close} title="The integration is made" centered size="lg" closeOnClickOutside={false}>
        <div className="stack">
          {create.data.secret ? (
            <>
              <Code label="Signing secret" text={create.data.secret} />
              <Note tone="warn">This is the only time that the secret is shown. The receiver verifies messages with it.</Note>
            </>
          ) : (
            <Note tone="warn">The integration was made by an earlier try, whose answer had the secret. Replace the secret to get another.</Note>
          )}
          <p>A test message is on its way; the delivery log says what became of it.</p>
          <Link to={"/o/$org/e/$env/alerts/integrations/$integration" as string} params={{ org: organization, env: environment, integration: create.data.integration.id } as never}>
            Open the delivery log
          </Link>
        </div>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={close} title="New integration" centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (draft) create.mutate(draft);
        }}
      >
        <IntegrationFields form={form} put={(part) => setForm({ ...form, ...part })} isNew />
        {create.error && <Failure fault={create.error} />}
        <Button type="submit" loading={create.isPending} disabled={!draft || draft.name === ""}>
          Create and send a test message
        </Button>
      </form>
    </Modal>
  );
}
