import { Button } from "@mantine/core";
import { IconArrowRight, IconCheck, IconKey } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { body, control, once, read } from "../../api/client";
import { askMetrics } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { count, shortFigure } from "../../lib/numbers";
import { useScope } from "../../lib/scope";
import { ago } from "../../lib/time-range";
import { Code } from "../../ui/code";
import { PageHead } from "../../ui/page";
import { Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { FIRST_METRIC, snippets } from "./snippets";

const ACCOUNT = "Senders";

interface FreshKey {
  text: string;
  id: string;
  account: string;
  createdAt: number;
}

/** A key that may send, of the service account for senders, which is made when there is none. */
async function freshKey(organization: string, environment: string): Promise<FreshKey> {
  const accounts = await body(
    control.GET("/api/v1/organizations/{organization_id}/service-accounts", { params: { path: { organization_id: organization }, query: { limit: 200 } } }),
  );
  const account =
    accounts.data.find((each) => each.display_name === ACCOUNT && each.role === "developer") ??
    (await body(
      control.POST("/api/v1/organizations/{organization_id}/service-accounts", {
        params: { path: { organization_id: organization }, header: once() },
        body: { display_name: ACCOUNT, role: "developer" },
      }),
    ));
  const created = await body(
    control.POST("/api/v1/organizations/{organization_id}/service-accounts/{service_account_id}/api-keys", {
      params: { path: { organization_id: organization, service_account_id: account.id }, header: once() },
      body: { environment_id: environment, scopes: ["metrics:write"] },
    }),
  );
  return { text: created.secret ?? "", id: created.api_key.id, account: account.id, createdAt: Date.now() };
}

/** How telemetry gets in: a key, something to run, and the first point as it arrives. */
export function DataInPage() {
  const { organization, environment } = useScope();
  const [key, setKey] = useState<FreshKey>();
  const mayCreate = useAllowed("api-keys:write");
  const endpoints = useQuery({
    queryKey: ["endpoints"],
    queryFn: () => body(control.GET("/api/v1/endpoints")),
    staleTime: Infinity,
  });
  const create = useMutation({ mutationFn: () => freshKey(organization, environment), onSuccess: setKey });
  return (
    <>
      <PageHead title="Data in" note="Send metrics by OTLP, Prometheus remote write or Kafka. An answer of 2xx means that they are kept." />
      <ol className="steps">
        <Step number={1} title="Get a key" done={key !== undefined}>
          {mayCreate === false ? (
            <Forbidden permission="api-keys:write" what="create keys" />
          ) : key === undefined ? (
            <>
              <p>A key belongs to one environment and may only send. You can make as many as you have senders.</p>
              <Button leftSection={<IconKey size={14} aria-hidden />} loading={create.isPending} disabled={mayCreate === undefined} onClick={() => create.mutate()} w="fit-content">
                Create a key
              </Button>
              {create.error && <Failure fault={create.error} retry={() => create.mutate()} />}
            </>
          ) : (
            <>
              <Code label="The key" text={key.text} />
              <Note tone="warn">This is the only time that the key is shown. The snippets below hold it; copy what you need before you leave.</Note>
            </>
          )}
        </Step>
        <Step number={2} title="Send" done={false}>
          <Loaded query={endpoints} skeleton={<Skeleton rows={1} height={200} />}>
            {(known) => <Snippets all={snippets(known, organization, environment, key?.text ?? "YOUR_KEY")} />}
          </Loaded>
        </Step>
        {key && <Arrival organization={organization} environment={environment} fresh={key} />}
      </ol>
      <Quotas />
    </>
  );
}

/** How much of it is taken, before a sender is told to wait. */
function Quotas() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("budgets:read") === true;
  const quotas = useQuery({
    queryKey: [organization, environment, "quotas"],
    enabled: mayRead,
    queryFn: () => read(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/quotas", { params: { path: { organization_id: organization, environment_id: environment } } })),
  });
  const place = { org: organization, env: environment };
  const inForce = quotas.data?.data.in_force;
  return (
    <section className="section ruled stack" aria-label="How much is taken">
      <h2>How much is taken</h2>
      {inForce && (
        <p>
          This environment may send {count(inForce.points_per_second)} points, {shortFigure(inForce.bytes_per_second, "By")} and {count(inForce.requests_per_second)} requests a second, ten seconds&rsquo; worth at once. What is over gets 429 with the time to wait; a good sender sends it again.
        </p>
      )}
      <p className="row">
        <Link to={"/o/$org/e/$env/settings/limits" as string} params={place as never}>
          Limits
        </Link>
        <Link to={"/o/$org/e/$env/receipts" as string} params={place as never}>
          Receipts of what was sent
        </Link>
        <Link to={"/o/$org/e/$env/dead-letters" as string} params={place as never}>
          Dead letters: what was set aside and why
        </Link>
      </p>
    </section>
  );
}

function Step({ number, title, done, children }: { number: number; title: string; done: boolean; children: React.ReactNode }) {
  return (
    <li className={`step ${done ? "done" : ""}`}>
      <span className="step-mark" aria-hidden>
        {done ? <IconCheck size={14} /> : number}
      </span>
      <div className="stack">
        <h2>{title}</h2>
        {children}
      </div>
    </li>
  );
}

function Snippets({ all }: { all: ReturnType<typeof snippets> }) {
  const [chosen, setChosen] = useState("curl");
  const snippet = all.find((each) => each.id === chosen) ?? all[0];
  return (
    <div className="stack">
      <div className="tabs" role="tablist" aria-label="Ways in">
        {all.map((each) => (
          <button key={each.id} type="button" role="tab" className="tab" aria-selected={each.id === snippet?.id} onClick={() => setChosen(each.id)}>
            {each.name}
          </button>
        ))}
      </div>
      {snippet && (
        <div className="stack" role="tabpanel" aria-label={snippet.name}>
          <p className="quiet">{snippet.hint}</p>
          <Code label={`${snippet.name} snippet`} text={snippet.text} />
        </div>
      )}
    </div>
  );
}

/** Looks every second whether something came with this key. */
function Arrival({ organization, environment, fresh }: { organization: string; environment: string; fresh: FreshKey }) {
  const now = useNow();
  const mayRead = useAllowed("metrics:read");
  const minute = Math.floor(fresh.createdAt / 60_000) * 60_000;
  const point = useQuery({
    queryKey: [organization, environment, "first-point", fresh.id],
    enabled: mayRead === true,
    queryFn: ({ signal }) =>
      askMetrics(
        organization,
        {
          aggregations: [{ metric: FIRST_METRIC, agg: "SUM" }],
          filter: { op: "EQ", field: "environment.id", value: environment as never },
          granularity: "PT1M",
          intervals: [`${new Date(minute).toISOString()}/now+1m|m`],
          bucket_states: true,
        },
        signal,
      ),
    refetchInterval: (query) => ((query.state.data?.data.length ?? 0) > 0 ? false : 1000),
    retry: true,
    retryDelay: 2000,
  });
  const used = useQuery({
    queryKey: [organization, "key", fresh.id],
    queryFn: () =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/service-accounts/{service_account_id}/api-keys/{api_key_id}", {
          params: { path: { organization_id: organization, service_account_id: fresh.account, api_key_id: fresh.id } },
        }),
      ),
    refetchInterval: (query) => (query.state.data?.last_used_at ? false : 5000),
  });
  const arrived = (point.data?.data.length ?? 0) > 0;
  const place = { org: organization, env: environment };
  return (
    <Step number={3} title="See it arrive" done={arrived || used.data?.last_used_at !== undefined}>
      <div aria-live="polite" className="stack">
        {arrived ? (
          <>
            <p className="ok row">
              <IconCheck size={16} aria-hidden /> First point received
            </p>
            <p>The minute it belongs to is provisional until the pipeline has read every point of it; then it is final.</p>
            <Button
              renderRoot={(props) => <Link {...props} to="/o/$org/e/$env/explorer" params={place} search={{ metric: FIRST_METRIC, agg: "SUM", from: "now-15m", to: "now" }} />}
              rightSection={<IconArrowRight size={14} aria-hidden />}
              w="fit-content"
            >
              See it in the Explorer
            </Button>
          </>
        ) : used.data?.last_used_at ? (
          <>
            <p className="ok row">
              <IconCheck size={16} aria-hidden /> The key was used {ago(used.data.last_used_at, now)}
            </p>
            <p>New metrics are in the catalogue within two minutes.</p>
            <Link to="/o/$org/e/$env/explorer" params={place}>
              Look for them in the Explorer
            </Link>
          </>
        ) : (
          <p className="waiting quiet">
            <span className="dot" /> Waiting for the first point, for {Math.max(0, Math.round((now - fresh.createdAt) / 1000))} s. Run the snippet above.
          </p>
        )}
        {point.error && <Failure fault={point.error} />}
      </div>
    </Step>
  );
}
