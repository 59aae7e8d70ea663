import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { incidentsQuery } from "../../api/alert-queries";
import { planQuery, usageQuery } from "../../api/billing-queries";
import { askMetrics, auditQuery, metricsQuery, resourcesQuery } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { worstFirst, type Health } from "../../lib/health";
import { boundsOfPeriod, decimalText } from "../../lib/money";
import { count, duration, plural, shortFigure } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { ago, formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded, Skeleton } from "../../ui/states";
import { HealthBadge } from "../../ui/health-badge";

/** What is, how sure that is, and what changed. */
export function HomePage() {
  const { organization, environment } = useScope();
  const place = { org: organization, env: environment };
  const mayRead = useAllowed("catalog:read");
  const resources = useQuery({ ...resourcesQuery(organization, environment), enabled: mayRead === true, refetchInterval: 30_000 });
  const metrics = useQuery({ ...metricsQuery(organization, environment), enabled: mayRead === true });
  const now = useNow();
  if (mayRead === false) {
    return (
      <>
        <PageHead title="Home" />
        <Forbidden permission="catalog:read" what="see what is sent" />
      </>
    );
  }
  return (
    <>
      <PageHead title="Home" />
      <Loaded query={resources}>
        {(all) => {
          const judged = worstFirst(all, now);
          const byHealth = (health: Health) => judged.filter((each) => each.health === health).length;
          return all.length === 0 && metrics.data?.length === 0 ? (
            <Empty
              title="Nothing was sent yet"
              action={
                <Link to="/o/$org/e/$env/data-in" params={place}>
                  Send the first point
                </Link>
              }
            >
              <p>Create a key and run one command. The first point is on a chart a second or two later.</p>
            </Empty>
          ) : (
            <div className="stack wide">
              <dl className="stats">
                <Complete metric={newest(metrics.data)} />
                <div className="stat">
                  <dt>Sending</dt>
                  <dd className={byHealth("silent") > 0 ? "" : "ok"}>
                    {count(byHealth("sending"))} <span className="small quiet">of {plural(all.length, "resource")}</span>
                  </dd>
                </div>
                <div className="stat">
                  <dt>Silent for more than 15 minutes</dt>
                  <dd className={byHealth("silent") > 0 ? "danger" : ""}>{count(byHealth("silent"))}</dd>
                </div>
                <OpenIncidents />
                <Ingest />
                <UsageOfMonth />
                <div className="stat">
                  <dt>Metrics in the catalogue</dt>
                  <dd>{metrics.data ? count(metrics.data.length) : "–"}</dd>
                </div>
              </dl>
              <div className="columns">
                <section className="stack">
                  <h2>Health by resource, worst first</h2>
                  <table className="data as-list">
                    <thead>
                      <tr>
                        <th>Health</th>
                        <th>Resource</th>
                        <th>Type</th>
                        <th className="num">Last point</th>
                      </tr>
                    </thead>
                    <tbody>
                      {judged.slice(0, 50).map(({ resource, health }) => (
                        <tr key={resource.id}>
                          <td data-label="Health">
                            <HealthBadge health={health} />
                          </td>
                          <td data-label="Resource" className="break">
                            <Link to="/o/$org/e/$env/resources/$resource" params={{ ...place, resource: resource.id }}>
                              {displayed(resource.display_name)}
                            </Link>
                          </td>
                          <td data-label="Type">{displayed(resource.type, 40)}</td>
                          <td data-label="Last point" className="num nowrap">
                            {resource.last_seen ? ago(resource.last_seen, now) : "never"}
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                  <p className="quiet small">The catalogue notes the last point of a resource up to ten minutes late.</p>
                </section>
                <Changes />
              </div>
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

function newest(metrics: { name: string; discovered?: { last_seen: string } | undefined }[] | undefined): string | undefined {
  return metrics?.filter((each) => each.discovered).sort((a, b) => Date.parse(b.discovered?.last_seen ?? "") - Date.parse(a.discovered?.last_seen ?? ""))[0]?.name;
}

/** Up to when every point on time is stored and readable, asked of the newest metric. */
function Complete({ metric }: { metric: string | undefined }) {
  const { organization } = useScope();
  const { zone } = useView();
  const now = useNow();
  const mayRead = useAllowed("metrics:read");
  const answer = useQuery({
    queryKey: [organization, "watermark", metric],
    enabled: mayRead === true && metric !== undefined,
    queryFn: ({ signal }) => askMetrics(organization, { aggregations: [{ metric: metric ?? "", agg: "COUNT" }], granularity: "PT1M", intervals: ["PT2M/now+1m|m"] }, signal),
    refetchInterval: 5_000,
  });
  const watermark = answer.data?.meta?.completeness?.watermark;
  const age = watermark ? Math.max(0, (now - Date.parse(watermark)) / 1000) : undefined;
  return (
    <div className="stat" title={watermark ? `Complete until ${formatTime(watermark, zone)}` : undefined}>
      <dt>Complete until</dt>
      <dd className={age !== undefined && age > 300 ? "warn" : ""}>{age === undefined ? "–" : `${duration(Math.round(age))} ago`}</dd>
    </div>
  );
}

function OpenIncidents() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("alerts:read");
  const open = useInfiniteQuery({ ...incidentsQuery(organization, environment, { state: "open" }), enabled: mayRead === true });
  if (mayRead !== true) return null;
  const found = open.data?.pages.flatMap((page) => page.data).length;
  return (
    <div className="stat">
      <dt>
        <Link to={"/o/$org/e/$env/alerts" as string} params={{ org: organization, env: environment } as never}>
          Open incidents
        </Link>
      </dt>
      <dd className={found ? "danger" : ""}>{found === undefined ? "–" : `${count(found)}${open.hasNextPage ? " or more" : ""}`}</dd>
    </div>
  );
}

const HOUR_MS = 3_600_000;

/** How much came in the last hour that is over, by the usage ledger. */
function Ingest() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("usage:read");
  const hour = Math.floor(useNow() / HOUR_MS) * HOUR_MS;
  const text = (time: number) => new Date(time).toISOString().replace(".000Z", "Z");
  const usage = useInfiniteQuery({ ...usageQuery(organization, { from: text(hour - HOUR_MS), to: text(hour), meter: "points", by: "hour", environment_id: environment }), enabled: mayRead === true });
  if (mayRead !== true) return null;
  const total = usage.data?.pages[0]?.total;
  return (
    <div className="stat" title={total === undefined ? undefined : `${decimalText(total)} points in the hour before ${text(hour)}`}>
      <dt>Points a second, the hour before</dt>
      <dd>{total === undefined ? "–" : shortFigure(Number(total) / 3600)}</dd>
    </div>
  );
}

/** Points of the running month, beside what the plan includes. */
function UsageOfMonth() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("usage:read");
  const mayBill = useAllowed("billing:read") === true;
  const bounds = boundsOfPeriod(new Date(useNow()).toISOString().slice(0, 7));
  const usage = useInfiniteQuery({ ...usageQuery(organization, { ...bounds, meter: "points", by: "day" }), enabled: mayRead === true });
  const plan = useQuery({ ...planQuery(organization), enabled: mayBill });
  if (mayRead !== true) return null;
  const total = usage.data?.pages[0]?.total;
  const included = plan.data?.data.current.charges.find((each) => each.meter === "points")?.included;
  return (
    <div className="stat">
      <dt>
        <Link to={"/o/$org/e/$env/billing" as string} params={{ org: organization, env: environment } as never}>
          Points this month
        </Link>
      </dt>
      <dd title={total === undefined ? undefined : decimalText(total)}>
        {total === undefined ? "–" : shortFigure(Number(total))} {included !== undefined && included !== "0" && <span className="small quiet">of {shortFigure(Number(included))} included</span>}
      </dd>
    </div>
  );
}

function Changes() {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const mayRead = useAllowed("audit:read");
  const log = useQuery({ ...auditQuery(organization, { since: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 86_400_000).toISOString() }), enabled: mayRead === true });
  if (mayRead !== true) return null;
  return (
    <section className="stack">
      <h2>Changed since yesterday</h2>
      <Loaded query={log} skeleton={<Skeleton rows={4} />}>
        {(page) =>
          page.data.length === 0 ? (
            <p className="quiet">Nothing was changed.</p>
          ) : (
            <>
              <ul className="plain-list">
                {page.data.slice(0, 12).map((entry) => (
                  <li key={entry.sequence}>
                    <span className="quiet small figure nowrap">{formatTime(entry.at, zone, "minute").slice(-5 - (zone === "utc" ? 4 : 0))}</span>{" "}
                    <span className={entry.outcome === "refused" ? "danger" : ""}>{entry.action.replaceAll(/[._]/g, " ")}</span> <span className="mono break">{displayed(entry.object_id, 32)}</span>
                    {entry.outcome === "refused" && " refused"}
                  </li>
                ))}
              </ul>
              <Link to="/o/$org/e/$env/settings/audit-log" params={{ org: organization, env: environment }}>
                All of the audit log
              </Link>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

