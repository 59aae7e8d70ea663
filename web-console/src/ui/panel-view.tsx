import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { Problem } from "../api/problem";
import { metricSeriesQuery, type Schemas } from "../api/queries";
import { useNow } from "../lib/clock";
import type { Panel } from "../lib/dashboard";
import { divisor, FUNCTION_NAMES, granularityOf, growthOf, isHistogram, requestOf, searchOf, spreadRequestOf, unitOf, type Condition, type Question } from "../lib/question";
import { useScope, useView } from "../lib/scope";
import { drawnOf, lastComplete, seriesName, seriesOf, summaryOf, type SeriesSet } from "../lib/series";
import { boundsOf, bucketMs, formatClock, isLive } from "../lib/time-range";
import { displayed } from "../lib/displayed";
import { useLastAnswer } from "../lib/last-answer";
import { exactFigure, shortFigure } from "../lib/numbers";
import { Chart } from "./chart";
import { Backlog } from "./completeness";
import { Failure, Skeleton } from "./states";

// Few dashboards have one: it is no part of the first view.
const SpreadMap = lazy(() => import("./heat-map").then((module) => ({ default: module.SpreadMap })));
const SeriesMap = lazy(() => import("./heat-map").then((module) => ({ default: module.SeriesMap })));

/** A panel of a dashboard; a text stands as it was written. */
export function PanelView({ panel, where, metric }: { panel: Panel; where: Condition[]; metric: Schemas["Metric"] | undefined }) {
  if (panel.type === "text") {
    return (
      <section className="panel stack tight" style={panel.width === 2 ? { gridColumn: "1 / -1" } : undefined} aria-label={panel.title || "Text"}>
        {panel.title && <h2 className="break">{displayed(panel.title, 100)}</h2>}
        <p className="panel-text">{panel.text}</p>
      </section>
    );
  }
  return <MetricPanel panel={panel} where={where} metric={metric} />;
}

/** A panel of a dashboard, asked like any question of the Explorer, which its title leads to. */
function MetricPanel({ panel, where: filter, metric }: { panel: Panel; where: Condition[]; metric: Schemas["Metric"] | undefined }) {
  const { organization, environment } = useScope();
  const { range, zone } = useView();
  const minute = Math.ceil(useNow() / 60_000) * 60_000;
  const { from, to } = boundsOf(range, minute);
  const bounds = useMemo(() => ({ from, to }), [from, to]);
  const where = useMemo(() => [...panel.where, ...filter], [panel.where, filter]);
  const question: Question = { metric: panel.metric, agg: panel.agg, by: panel.by, where, granularity: undefined, compare: false, alone: undefined };
  const granularity = granularityOf(question, bounds);
  const width = bucketMs(granularity);
  const isSpread = panel.type === "heat_map" && panel.by.length === 0 && isHistogram(metric?.type);
  const request = isSpread ? spreadRequestOf(question, environment, bounds) : requestOf(question, panel.agg, environment, bounds);
  const asked = useQuery({ ...metricSeriesQuery(organization, request, isLive(range) ? 15_000 : false), placeholderData: keepPreviousData });
  const answer = useLastAnswer(asked, JSON.stringify({ ...request, intervals: undefined }));
  const rows = answer.data?.data;
  const data = useMemo(() => {
    if (!rows) return undefined;
    const by = divisor(panel.agg, granularity);
    const scaled = (rows as Record<string, unknown>[]).map((row) => ({ ...row, value: typeof row["value"] === "number" ? row["value"] / by : row["value"] }));
    return drawnOf(seriesOf(scaled, panel.by, bounds.from, bounds.to, width), growthOf(panel.agg), answer.readAt, width).set;
  }, [rows, answer.readAt, panel.agg, panel.by, granularity, bounds, width]);
  const until = answer.data?.meta?.completeness?.complete_until;
  const unit = unitOf(panel.agg, metric?.unit ?? "");
  const completeUntil = until === undefined ? undefined : Date.parse(until);
  return (
    <section className="panel stack tight" style={panel.width === 2 ? { gridColumn: "1 / -1" } : undefined} aria-label={panel.title}>
      <div className="row between">
        <h2>
          <Link
            to={"/o/$org/e/$env/explorer" as string}
            params={{ org: organization, env: environment } as never}
            search={((before: { from?: string; to?: string; tz?: string }) => ({ from: before.from, to: before.to, tz: before.tz, ...searchOf({ metric: panel.metric, agg: panel.agg, by: panel.by, where }) })) as never}
          >
            {displayed(panel.title || panel.metric, 100)}
          </Link>
        </h2>
        {answer.fault !== undefined && data ? (
          <span className="warn small" title={answer.fault instanceof Problem ? answer.fault.detail : undefined}>
            shown as read at {formatClock(answer.readAt, zone, true)}
          </span>
        ) : (
          until && <span className="quiet small">complete until {formatClock(until, zone, true)}</span>
        )}
        <Backlog completeness={answer.data?.meta?.completeness} zone={zone} />
      </div>
      {answer.fault !== undefined && !data ? (
        <Failure fault={answer.fault} retry={() => void asked.refetch()} />
      ) : !data ? (
        <Skeleton rows={1} height={200} />
      ) : data.series.length === 0 ? (
        <p className="quiet" style={{ minHeight: 200 }}>
          No points in this time.
        </p>
      ) : panel.type === "stat" ? (
        <p className="panel-figure">{shortFigure(data.series[0] ? lastComplete(data.series[0]) : null, unit)}</p>
      ) : panel.type === "table" || panel.type === "bar" ? (
        <SeriesTable data={data} unit={unit} bars={panel.type === "bar"} label={`Series of ${panel.title || panel.metric}`} />
      ) : panel.type === "heat_map" ? (
        <Suspense fallback={<Skeleton rows={1} height={200} />}>
          {isSpread ? (
            <SpreadMap rows={rows as Record<string, unknown>[]} bounds={bounds} width={width} readAt={answer.readAt} unit={metric?.unit ?? ""} completeUntil={completeUntil} zone={zone} label={`${panel.title || panel.metric}: how the observations of ${panel.metric} are spread`} />
          ) : (
            <SeriesMap data={data} unit={unit} completeUntil={completeUntil} zone={zone} label={`${panel.title || panel.metric}: ${FUNCTION_NAMES[panel.agg]} of ${panel.metric}, ${data.series.length} series`} />
          )}
        </Suspense>
      ) : (
        <Chart data={data} completeUntil={completeUntil} unit={unit} zone={zone} height={200} fromZero={panel.agg !== "LAST" && panel.agg !== "MIN"} label={`${panel.title}: ${FUNCTION_NAMES[panel.agg]} of ${panel.metric}, ${data.series.length} series`} />
      )}
    </section>
  );
}

/** Each series with its last figure of a bucket that is over; as bars, with their share of the greatest. */
function SeriesTable({ data, unit, bars, label }: { data: SeriesSet; unit: string; bars: boolean; label: string }) {
  const rows = data.series.map((series) => ({ key: series.key, name: seriesName(series), last: lastComplete(series), summary: summaryOf(series) })).sort((a, b) => (b.last ?? -Infinity) - (a.last ?? -Infinity));
  const greatest = Math.max(0, ...rows.map((each) => Math.abs(each.last ?? 0)));
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="data">
        <thead>
          <tr>
            <th>Series</th>
            {!bars && <th className="num">Min</th>}
            {!bars && <th className="num">Max</th>}
            <th className="num">Last complete</th>
            {bars && (
              <th>
                <span className="hidden">Share of the greatest</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, 50).map((each) => (
            <tr key={each.key}>
              <td className="break">{displayed(each.name, 80)}</td>
              {!bars && (
                <td className="num" title={exactFigure(each.summary.min)}>
                  {shortFigure(each.summary.min, unit)}
                </td>
              )}
              {!bars && (
                <td className="num" title={exactFigure(each.summary.max)}>
                  {shortFigure(each.summary.max, unit)}
                </td>
              )}
              <td className="num" title={exactFigure(each.last)}>
                {shortFigure(each.last, unit)}
              </td>
              {bars && (
                <td className="bar-cell" aria-hidden>
                  <span className="bar" style={{ width: `${greatest === 0 ? 0 : (Math.abs(each.last ?? 0) / greatest) * 100}%` }} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > 50 && <p className="quiet small">The first 50 of {rows.length} series.</p>}
    </div>
  );
}
