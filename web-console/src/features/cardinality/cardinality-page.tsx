import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { body, control } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { displayed } from "../../lib/displayed";
import { count, plural, shortFigure } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { growth, saved } from "./growth";

type Cardinality = Schemas["Cardinality"];
type Metric = Schemas["CardinalityMetric"];

const CARDINALITY = "/api/v1/organizations/{organization_id}/environments/{environment_id}/cardinality" as const;

const ORDERS = [
  { value: "series", label: "Most series" },
  { value: "growth", label: "Most growth in 7 days" },
  { value: "folded", label: "Most overflow series" },
] as const;

/** How many series there are, which metric has them, and what a label costs. */
export function CardinalityPage() {
  const mayCatalogue = useAllowed("catalog:read");
  const mayBudgets = useAllowed("budgets:read");
  return (
    <>
      <PageHead title="Cardinality" note="Series by metric, counted from stored rows. A series is a metric with one set of labels; those that sent in the last hour count." />
      {mayCatalogue === false ? (
        <Forbidden permission="catalog:read" what="see series" />
      ) : mayBudgets === false ? (
        <Forbidden permission="budgets:read" what="see series" />
      ) : mayCatalogue && mayBudgets ? (
        <Series />
      ) : (
        <Skeleton />
      )}
    </>
  );
}

function Series() {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const search = useSearch({ strict: false }) as { metric?: unknown; order?: unknown };
  const metric = typeof search.metric === "string" && search.metric.length <= 255 ? search.metric : undefined;
  const order = ORDERS.find((each) => each.value === search.order)?.value ?? "series";
  const navigate = useNavigate();
  const set = (change: object) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...change })) as never });
  const summary = useQuery({
    queryKey: [organization, environment, "cardinality"],
    queryFn: () => body(control.GET(CARDINALITY, { params: { path: { organization_id: organization, environment_id: environment } } })),
    refetchInterval: 60_000,
  });
  return (
    <Loaded query={summary}>
      {(found) =>
        found.series === 0 ? (
          <Empty title="No series in the last hour">
            <p>Nothing was sent to this environment in the last hour, or its first rows are not stored yet. That takes about a minute.</p>
            <Link to="/o/$org/e/$env/data-in" params={{ org: organization, env: environment }}>
              Send data
            </Link>
          </Empty>
        ) : (
          <div className="stack wide">
            <Figures found={found} />
            {found.budgets.is_folding && <Note tone="warn">A budget was exceeded in the last hour: series were folded into overflow series. Totals are right; the labels of folded series are gone. Raise the budget, or drop a label below.</Note>}
            <div className="columns">
              <section className="stack" aria-labelledby="by-metric">
                <div className="row between">
                  <h2 id="by-metric">By metric</h2>
                  <Select aria-label="Order" w={220} data={[...ORDERS]} value={order} onChange={(value) => set({ order: value === "series" ? undefined : value })} />
                </div>
                <Metrics found={found} order={order} chosen={metric} choose={(name) => set({ metric: name })} />
                <p className="quiet small">
                  Counted at {formatTime(found.counted_at, zone, "minute")}, {found.method === "exact" ? "exactly" : `estimated, ± ${(found.relative_error * 100).toFixed(1)} %`}; whole days {found.days_method === "exact" ? "exactly" : `estimated, ± ${(found.days_relative_error * 100).toFixed(1)} %`}.
                  {found.metrics_counted > found.metrics.length && ` Shown are ${count(found.metrics.length)} of ${count(found.metrics_counted)} metrics.`}
                </p>
              </section>
              <section className="stack" aria-labelledby="labels">
                <h2 id="labels">Labels</h2>
                {metric === undefined ? (
                  <p className="quiet">Choose a metric to see which label makes its series, and what dropping or splitting it would save.</p>
                ) : (
                  <Labels key={metric} metric={metric} />
                )}
              </section>
            </div>
          </div>
        )
      }
    </Loaded>
  );
}

function Figures({ found }: { found: Cardinality }) {
  const first = found.days[0];
  const budget = found.budgets.active_series;
  return (
    <dl className="stats">
      <div className="stat">
        <dt>Series now</dt>
        <dd title={count(found.series)}>{count(found.series)}</dd>
      </div>
      <div className="stat">
        <dt>Budget of active series</dt>
        <dd>
          {count(budget)} <span className={`small ${found.series > budget * 0.8 ? "warn" : "quiet"}`}>{Math.round((100 * found.series) / budget)} % used</span>
        </dd>
      </div>
      <div className="stat">
        <dt>Metrics</dt>
        <dd>{count(found.metrics_counted)}</dd>
      </div>
      <div className="stat">
        <dt>{first ? `On ${first.day}` : "Earlier"}</dt>
        <dd>{first ? count(first.series) : <span className="small quiet">no whole day yet</span>}</dd>
      </div>
    </dl>
  );
}

function ordered(metrics: readonly Metric[], order: string): Metric[] {
  const by = (metric: Metric) => (order === "growth" ? (growth(metric) ?? -Infinity) : order === "folded" ? metric.folded_series : metric.series);
  return [...metrics].sort((a, b) => by(b) - by(a) || a.metric.localeCompare(b.metric));
}

function Metrics({ found, order, chosen, choose }: { found: Cardinality; order: string; chosen: string | undefined; choose: (metric: string) => void }) {
  const [all, setAll] = useState(false);
  const most = Math.max(1, ...found.metrics.map((each) => each.series));
  const metrics = ordered(found.metrics, order);
  return (
    <>
      <table className="data as-list">
        <thead>
          <tr>
            <th>Metric</th>
            <th className="num">Series</th>
            <th aria-hidden />
            <th className="num">7 days</th>
            <th>State</th>
          </tr>
        </thead>
        <tbody>
          {metrics.slice(0, all ? undefined : 50).map((each) => {
            const grown = growth(each);
            return (
              <tr key={each.metric} aria-current={each.metric === chosen ? "true" : undefined}>
                <td data-label="Metric" className="break">
                  <button type="button" className="plain-button mono break" onClick={() => choose(each.metric)}>
                    {displayed(each.metric)}
                  </button>
                </td>
                <td data-label="Series" className="num">
                  {count(each.series)}
                </td>
                <td className="bar-cell" aria-hidden>
                  <span className="bar" style={{ width: `${(100 * each.series) / most}%` }} />
                </td>
                <td data-label="7 days" className="num">
                  {grown === undefined ? "–" : `${grown > 0 ? "+" : ""}${count(grown)}`}
                </td>
                <td data-label="State">
                  {each.folded_series > 0 && <span className="badge warn">{plural(each.folded_series, "overflow series", "overflow series")}</span>}{" "}
                  {each.split_labels.length > 0 && <span className="badge">split: {displayed(each.split_labels.join(", "), 60)}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {!all && metrics.length > 50 && (
        <Button variant="default" w="fit-content" onClick={() => setAll(true)}>
          Show {count(metrics.length - 50)} more
        </Button>
      )}
    </>
  );
}

function Labels({ metric }: { metric: string }) {
  const { organization, environment } = useScope();
  const [asked, setAsked] = useState<{ label: string; action: Schemas["CardinalityAction"] }>();
  const labels = useQuery({
    queryKey: [organization, environment, "cardinality-labels", metric],
    queryFn: () => body(control.GET(`${CARDINALITY}/labels`, { params: { path: { organization_id: organization, environment_id: environment }, query: { metric } } })),
  });
  return (
    <div className="stack">
      <p className="mono break">{displayed(metric)}</p>
      <Loaded query={labels}>
        {({ data, relative_error }) =>
          data.length === 0 ? (
            <p className="quiet">The metric has no labels in the last day.</p>
          ) : (
            <>
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Label</th>
                    <th className="num">Values</th>
                    <th>What if</th>
                  </tr>
                </thead>
                <tbody>
                  {data.map((each) => (
                    <tr key={each.label}>
                      <td data-label="Label" className="mono break">
                        {displayed(each.label)} {each.is_split && <span className="badge">split</span>}
                      </td>
                      <td data-label="Values" className="num">
                        {count(each.values)}
                      </td>
                      <td>
                        <div className="row">
                          <Button variant="default" size="compact-xs" aria-label={`Drop ${displayed(each.label)}`} onClick={() => setAsked({ label: each.label, action: "drop" })}>
                            Drop
                          </Button>
                          {each.label.startsWith("metric.") && !each.is_split && (
                            <Button variant="default" size="compact-xs" aria-label={`Split ${displayed(each.label)}`} onClick={() => setAsked({ label: each.label, action: "split" })}>
                              Split
                            </Button>
                          )}
                        </div>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <p className="quiet small">Values of the last hour, estimated ± {(relative_error * 100).toFixed(1)} %. Nothing is changed here.</p>
            </>
          )
        }
      </Loaded>
      <div aria-live="polite">{asked && <WhatIf key={`${asked.action} ${asked.label}`} metric={metric} {...asked} />}</div>
    </div>
  );
}

function WhatIf({ metric, label, action }: { metric: string; label: string; action: Schemas["CardinalityAction"] }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const effect = useQuery({
    queryKey: [organization, environment, "cardinality-what-if", metric, label, action],
    queryFn: () => body(control.GET(`${CARDINALITY}/what-if`, { params: { path: { organization_id: organization, environment_id: environment }, query: { metric, label, action } } })),
    staleTime: 60_000,
  });
  if (effect.error) return <Failure fault={effect.error} retry={() => void effect.refetch()} />;
  return (
    <Loaded query={effect} skeleton={<Skeleton rows={3} />}>
      {(found) => {
        const rows = saved(found);
        return (
          <section className="section ruled stack" aria-label={`What if ${displayed(label)} is ${action === "drop" ? "dropped" : "split"}`}>
            <h3>
              {action === "drop" ? "Without" : "Split"} <span className="mono break">{displayed(label)}</span>
            </h3>
            <p>
              <strong>{count(found.series_after)}</strong> instead of {plural(found.series, "series", "series")}; {rows.rows >= 0 ? "saves" : "costs"} {shortFigure(Math.abs(rows.rows))} rows a day
              {rows.bytes !== undefined && `, ${shortFigure(Math.abs(rows.bytes), "By")} of storage a day`}.
            </p>
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Rows a day</th>
                  <th className="num">Now</th>
                  <th className="num">After</th>
                </tr>
              </thead>
              <tbody>
                {found.levels.map((level) => (
                  <tr key={level.level}>
                    <td data-label="Rows a day" className="mono">
                      {level.level}
                    </td>
                    <td data-label="Now" className="num" title={level.bytes_per_day === undefined ? undefined : shortFigure(level.bytes_per_day, "By")}>
                      {count(level.rows_per_day)}
                    </td>
                    <td data-label="After" className="num" title={level.bytes_per_day_after === undefined ? undefined : shortFigure(level.bytes_per_day_after, "By")}>
                      {count(level.rows_per_day_after)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p className="quiet small">
              Counted exactly in rows from {formatTime(found.window_from, zone, "minute")} to {formatTime(found.window_to, zone, "minute")}, carried forward to a day.
              {rows.bytes === undefined && " Storage is known when the first rows are stored for good."}
              {action === "split" && " Split rows keep the label in minutes in detail; hours and days lose it."}
            </p>
          </section>
        );
      }}
    </Loaded>
  );
}
