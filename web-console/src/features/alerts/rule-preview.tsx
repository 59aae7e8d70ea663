import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import { metricSeriesQuery, metricsQuery } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import type { RuleForm } from "../../lib/alert";
import { useNow } from "../../lib/clock";
import { useLastAnswer } from "../../lib/last-answer";
import { plural } from "../../lib/numbers";
import { divisor, FUNCTION_NAMES, granularityOf, growthOf, requestOf, unitOf } from "../../lib/question";
import { ruleQuestionOf } from "../../lib/rule-question";
import { useScope, useView } from "../../lib/scope";
import { drawnOf, seriesOf } from "../../lib/series";
import { bucketMs } from "../../lib/time-range";
import { Chart } from "../../ui/chart";
import { Failure, Skeleton } from "../../ui/states";

const SHOWN_MS = 3 * 3_600_000;

/** The last three hours of what a rule looks at, with the level that it compares with, while it is being written. */
export function RulePreview({ form: typed }: { form: RuleForm }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const mayRead = useAllowed("metrics:read") === true;
  // Typing comes first.
  const form = useDeferredValue(typed);
  const catalogue = useQuery({ ...metricsQuery(organization, environment), enabled: mayRead });
  const metric = catalogue.data?.find((each) => each.name === form.metric);
  const asked = useMemo(() => ruleQuestionOf(form, metric?.discovered?.labels ?? []), [form, metric]);
  const minute = Math.ceil(useNow() / 60_000) * 60_000;
  const bounds = useMemo(() => ({ from: minute - SHOWN_MS, to: minute }), [minute]);
  const question = asked?.question ?? { metric: "", agg: undefined, by: [], where: [], granularity: undefined, compare: false, alone: undefined };
  const agg = asked?.agg ?? "AVG";
  const granularity = granularityOf(question, bounds);
  const width = bucketMs(granularity);
  const request = requestOf(question, agg, environment, bounds);
  const query = useQuery({ ...metricSeriesQuery(organization, request, 30_000), enabled: mayRead && asked !== undefined, placeholderData: keepPreviousData });
  const answer = useLastAnswer(query, JSON.stringify({ ...request, intervals: undefined }));
  const rows = answer.data?.data;
  const by = question.by.join("\n");
  const data = useMemo(() => {
    if (!rows) return undefined;
    const scale = divisor(agg, granularity);
    const scaled = (rows as Record<string, unknown>[]).map((row) => ({ ...row, value: typeof row["value"] === "number" ? row["value"] / scale : row["value"] }));
    return drawnOf(seriesOf(scaled, by === "" ? [] : by.split("\n"), bounds.from, bounds.to, width), growthOf(agg), answer.readAt, width).set;
  }, [rows, agg, granularity, by, bounds, width, answer.readAt]);
  if (!asked || !mayRead) return null;
  const until = answer.data?.meta?.completeness?.complete_until;
  return (
    <section className="section ruled stack tight" aria-label="The last three hours">
      <h2>The last three hours</h2>
      {answer.fault !== undefined && !data ? (
        <Failure fault={answer.fault} retry={() => void query.refetch()} />
      ) : !data ? (
        <Skeleton rows={1} height={200} />
      ) : data.series.length === 0 ? (
        <p className="quiet">No point of this was stored in the last three hours.</p>
      ) : (
        <Chart
          data={data}
          completeUntil={until === undefined ? undefined : Date.parse(until)}
          unit={unitOf(agg, metric?.unit ?? "")}
          zone={zone}
          height={200}
          levels={asked.levels}
          label={`${FUNCTION_NAMES[agg]} of ${form.metric}, ${plural(data.series.length, "series", "series")}${asked.levels.map((each) => `, ${each.label} at ${each.value}`).join("")}`}
        />
      )}
      {asked.notes.map((note) => (
        <p key={note} className="quiet small">
          {note}
        </p>
      ))}
    </section>
  );
}
