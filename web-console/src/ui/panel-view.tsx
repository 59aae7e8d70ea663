import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { metricSeriesQuery, type Schemas } from "../api/queries";
import { useNow } from "../lib/clock";
import type { Panel } from "../lib/dashboard";
import { divisor, FUNCTION_NAMES, granularityOf, requestOf, searchOf, unitOf, type Condition, type Question } from "../lib/question";
import { useScope, useView } from "../lib/scope";
import { seriesOf, summaryOf } from "../lib/series";
import { boundsOf, bucketMs, formatClock, isLive } from "../lib/time-range";
import { shortFigure } from "../lib/numbers";
import { Chart } from "./chart";
import { Failure, Skeleton } from "./states";

/** A panel of a dashboard, asked like any question of the Explorer, which its title leads to. */
export function PanelView({ panel, where, metric }: { panel: Panel; where: Condition[]; metric: Schemas["Metric"] | undefined }) {
  const { organization, environment } = useScope();
  const { range, zone } = useView();
  const minute = Math.ceil(useNow() / 60_000) * 60_000;
  const { from, to } = boundsOf(range, minute);
  const bounds = useMemo(() => ({ from, to }), [from, to]);
  const question: Question = { metric: panel.metric, agg: panel.agg, by: panel.by, where, granularity: undefined, compare: false, alone: undefined };
  const granularity = granularityOf(question, bounds);
  const width = bucketMs(granularity);
  const answer = useQuery({
    ...metricSeriesQuery(organization, requestOf(question, panel.agg, environment, bounds), isLive(range) ? 15_000 : false),
    placeholderData: keepPreviousData,
  });
  const rows = answer.data?.data;
  const data = useMemo(() => {
    if (!rows) return undefined;
    const by = divisor(panel.agg, granularity);
    const scaled = (rows as Record<string, unknown>[]).map((row) => ({ ...row, value: typeof row["value"] === "number" ? row["value"] / by : row["value"] }));
    return seriesOf(scaled, panel.by, bounds.from, bounds.to, width);
  }, [rows, panel.agg, panel.by, granularity, bounds, width]);
  const until = answer.data?.meta?.completeness?.complete_until;
  const unit = unitOf(panel.agg, metric?.unit ?? "");
  return (
    <section className="panel stack tight" style={panel.width === 2 ? { gridColumn: "1 / -1" } : undefined} aria-label={panel.title}>
      <div className="row between">
        <h2>
          <Link
            to={"/o/$org/e/$env/explorer" as string}
            params={{ org: organization, env: environment } as never}
            search={((before: { from?: string; to?: string; tz?: string }) => ({ from: before.from, to: before.to, tz: before.tz, ...searchOf({ metric: panel.metric, agg: panel.agg, by: panel.by, where }) })) as never}
          >
            {panel.title}
          </Link>
        </h2>
        {until && <span className="quiet small">complete until {formatClock(until, zone, true)}</span>}
      </div>
      {answer.error && !data ? (
        <Failure fault={answer.error} retry={() => void answer.refetch()} />
      ) : !data ? (
        <Skeleton rows={1} height={200} />
      ) : data.series.length === 0 ? (
        <p className="quiet" style={{ minHeight: 200 }}>
          No points in this time.
        </p>
      ) : panel.type === "stat" ? (
        <p className="figure">{shortFigure(data.series[0] ? summaryOf(data.series[0]).last : null, unit)}</p>
      ) : (
        <Chart data={data} completeUntil={until === undefined ? undefined : Date.parse(until)} unit={unit} zone={zone} height={200} fromZero={panel.agg !== "LAST" && panel.agg !== "MIN"} label={`${panel.title}: ${FUNCTION_NAMES[panel.agg]} of ${panel.metric}, ${data.series.length} series`} />
      )}
    </section>
  );
}
