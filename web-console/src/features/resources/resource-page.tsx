import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { incidentsQuery } from "../../api/alert-queries";
import { usageCostsQuery, usageQuery } from "../../api/billing-queries";
import { body, inOrganization, metrics } from "../../api/client";
import { metricsQuery, resourceSeriesQuery, resourcesQuery } from "../../api/queries";
import { readyMadeFor } from "../../dashboards/ready-made";
import { useAllowed } from "../../lib/access";
import { groupText } from "../../lib/alert";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { healthOf } from "../../lib/health";
import { boundsOfPeriod, decimalText, moneyText, roundedAmount } from "../../lib/money";
import { count, exactFigure, shortFigure } from "../../lib/numbers";
import type { Condition } from "../../lib/question";
import { searchOf } from "../../lib/question";
import { useScope } from "../../lib/scope";
import { ago } from "../../lib/time-range";
import { HealthBadge } from "../../ui/health-badge";
import { PageHead } from "../../ui/page";
import { PanelView } from "../../ui/panel-view";
import { RangePicker } from "../../ui/range-picker";
import { Empty, Loaded, Skeleton } from "../../ui/states";

/** One resource: the dashboard that comes along for its type, then all that it sends. */
export function ResourcePage() {
  const { organization, environment } = useScope();
  const { resource: id } = useParams({ strict: false }) as { resource?: string };
  const place = { org: organization, env: environment };
  const resources = useQuery(resourcesQuery(organization, environment));
  const catalogue = useQuery(metricsQuery(organization, environment));
  const now = useNow();
  const resource = resources.data?.find((each) => each.id === id);
  const sent = useQuery({
    queryKey: [organization, environment, "metrics-of-type", resource?.type],
    enabled: resource !== undefined,
    queryFn: () =>
      body(
        metrics.GET("/v2/metrics/{dataset}/descriptors/metrics", {
          params: { path: { dataset: "cloud" }, query: { resource_type: resource?.type ?? "", page_size: 1000 } },
          headers: inOrganization(organization),
        }),
      ),
    staleTime: 60_000,
  });
  if (resources.data && !resource) {
    return (
      <>
        <PageHead title="Resource" />
        <Empty title="There is no such resource in this environment">
          <Link to="/o/$org/e/$env/resources" params={place}>
            All resources
          </Link>
        </Empty>
      </>
    );
  }
  if (!resource) return <Skeleton rows={3} height={200} />;
  const where: Condition[] = [{ label: `resource.${resource.type}.id`, is: "=", value: resource.name }];
  const names = new Set(sent.data?.data.map((each) => each.name));
  const dashboard = readyMadeFor(resource.type, names);
  const panels = dashboard?.panels.filter((panel) => names.has(panel.metric)) ?? [];
  return (
    <>
      <PageHead
        title={displayed(resource.display_name, 80)}
        note={
          <span className="row">
            <HealthBadge health={healthOf(resource, now)} />
            <span>
              {displayed(resource.type, 40)} <span className="mono break">{displayed(resource.name, 80)}</span>
            </span>
            <span>{resource.last_seen ? `last point ${ago(resource.last_seen, now)}` : "never sent"}</span>
          </span>
        }
      >
        <RangePicker />
      </PageHead>
      <Loaded query={sent} skeleton={<Skeleton rows={2} height={220} />}>
        {(descriptors) => (
          <div className="stack wide">
            <Standing type={resource.type} name={resource.name} />
            {panels.length > 0 && (
              <div className="panels">
                {panels.map((panel) => (
                  <PanelView key={panel.title} panel={panel} where={where} metric={catalogue.data?.find((each) => each.name === panel.metric)} />
                ))}
              </div>
            )}
            <section className="section ruled stack">
              <h2>All metrics of type {displayed(resource.type, 40)}</h2>
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Metric</th>
                    <th>Unit</th>
                    <th>Labels</th>
                  </tr>
                </thead>
                <tbody>
                  {descriptors.data.map((each) => (
                    <tr key={each.name}>
                      <td data-label="Metric" className="mono break">
                        <Link to="/o/$org/e/$env/explorer" params={place} search={searchOf({ metric: each.name, where }) as { metric?: string }}>
                          {displayed(each.name)}
                        </Link>
                      </td>
                      <td data-label="Unit">{each.unit}</td>
                      <td data-label="Labels" className="quiet break">
                        {displayed(each.labels.map((label) => label.key).join(", "))}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </div>
        )}
      </Loaded>
    </>
  );
}

/** What fires on the resource now, how many series it has, how much of it was metered this month and what that costs. */
function Standing({ type, name }: { type: string; name: string }) {
  const { organization, environment } = useScope();
  const place = { org: organization, env: environment };
  const mayAlert = useAllowed("alerts:read") === true;
  const mayUsage = useAllowed("usage:read") === true;
  const mayBill = useAllowed("billing:read") === true;
  const mayCatalogue = useAllowed("catalog:read") === true;
  const mayCount = useAllowed("budgets:read") === true && mayCatalogue;
  const resource = { resource_type: type, resource_id: name };
  const incidents = useInfiniteQuery({ ...incidentsQuery(organization, environment, { state: "open" }), enabled: mayAlert });
  const period = new Date(useNow()).toISOString().slice(0, 7);
  const usage = useInfiniteQuery({ ...usageQuery(organization, { ...boundsOfPeriod(period), meter: "points", by: "environment", environment_id: environment, ...resource }), enabled: mayUsage });
  const costs = useQuery({ ...usageCostsQuery(organization, period, { environment_id: environment, ...resource }), enabled: mayBill });
  const series = useQuery({ ...resourceSeriesQuery(organization, environment, resource), enabled: mayCount });
  if (!mayAlert && !mayUsage && !mayBill && !mayCount) return null;
  const open = incidents.data?.pages.flatMap((page) => page.data).filter((each) => each.group[`resource.${type}.id`] === name);
  const row = usage.data?.pages.flatMap((page) => page.data)[0];
  const metered = row?.quantity ?? (usage.data ? "0" : undefined);
  return (
    <>
      <dl className="stats">
        {mayAlert && (
          <div className="stat">
            <dt>Open incidents of it alone</dt>
            <dd className={open && open.length > 0 ? "danger" : ""}>{open === undefined ? "–" : count(open.length)}</dd>
          </div>
        )}
        {mayCount && (
          <div className="stat">
            <dt>
              <Link to="/o/$org/e/$env/cardinality" params={place}>
                Series of the last hour
              </Link>
            </dt>
            <dd title={series.data && exactFigure(series.data.series)}>
              {series.data ? `${series.data.method === "estimated" ? "about " : ""}${shortFigure(series.data.series)}` : series.error ? "not counted" : "–"}
            </dd>
            {series.data && <dd className="small quiet">{series.data.metrics_counted === 1 ? "of 1 metric" : `of ${count(series.data.metrics_counted)} metrics`}</dd>}
          </div>
        )}
        {mayUsage && (
          <div className="stat">
            <dt>
              <Link to={"/o/$org/e/$env/billing" as string} params={place as never} search={{ by: "resource" } as never}>
                Points metered this month
              </Link>
            </dt>
            <dd title={metered === undefined ? undefined : decimalText(metered)}>{metered === undefined ? "–" : shortFigure(Number(metered))}</dd>
          </div>
        )}
        {mayBill && (
          <div className="stat">
            <dt>
              <Link to={"/o/$org/e/$env/billing/invoices/$period" as string} params={{ ...place, period } as never}>
                Its cost this month so far
              </Link>
            </dt>
            <dd title={costs.data && moneyText(costs.data.amount, costs.data.currency)}>{costs.data ? moneyText(roundedAmount(costs.data.amount, 2), costs.data.currency) : costs.error ? "not known" : "–"}</dd>
            {costs.data && <dd className="small quiet">before fees, rounding and tax</dd>}
          </div>
        )}
      </dl>
      {series.data && series.data.metrics.length > 0 && (
        <details>
          <summary className="small">Series by metric</summary>
          <table className="data as-list">
            <thead>
              <tr>
                <th>Metric</th>
                <th className="num">Series</th>
                <th className="num">Yesterday</th>
              </tr>
            </thead>
            <tbody>
              {series.data.metrics.slice(0, 50).map((each) => (
                <tr key={each.metric}>
                  <td data-label="Metric" className="mono break">
                    {displayed(each.metric)}
                  </td>
                  <td data-label="Series" className="num">
                    {count(each.series)}
                  </td>
                  <td data-label="Yesterday" className="num">
                    {each.days.at(-1) ? count(each.days.at(-1)?.series ?? 0) : "–"}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {series.data.metrics_counted > 50 && <p className="quiet small">The 50 with the most series of {count(series.data.metrics_counted)}.</p>}
        </details>
      )}
      {open && open.length > 0 && (
        <ul className="plain-list" aria-label="Open incidents">
          {open.slice(0, 20).map((each) => (
            <li key={each.id}>
              <Link to={"/o/$org/e/$env/alerts/incidents/$incident" as string} params={{ ...place, incident: each.id } as never}>
                {displayed(each.rule_name, 80)}
              </Link>{" "}
              <span className="mono small quiet break">{displayed(groupText(each.group), 120)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
