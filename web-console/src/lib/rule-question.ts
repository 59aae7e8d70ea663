import type { RuleForm } from "./alert";
import { GRANULARITIES, type Granularity } from "./time-range";
import type { Condition, Function, Question } from "./question";

/** What a chart shows beside a rule that is being written. */
export interface RuleQuestion {
  question: Question;
  agg: Function;
  /** Values that the rule compares with, where it compares what is drawn. */
  levels: { value: number; label: string }[];
  /** In which way the picture differs from what the rule decides by. */
  notes: string[];
}

const FUNCTIONS: Record<RuleForm["aggregation"], Function> = { sum: "SUM", count: "COUNT", min: "MIN", max: "MAX", avg: "AVG", last: "LAST", rate: "RATE" };
const QUANTILES: Record<string, Function> = { "0.5": "P50", "0.75": "P75", "0.9": "P90", "0.95": "P95", "0.99": "P99" };

function figureOf(text: string): number | undefined {
  const value = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The question that comes closest to what the rule looks at; undefined while it names no metric. */
export function ruleQuestionOf(form: RuleForm, labels: readonly string[]): RuleQuestion | undefined {
  if (form.metric === "") return undefined;
  const notes: string[] = [];
  const where: Condition[] = [];
  for (const each of form.matchers) {
    if (each.operator === "eq") where.push({ label: each.label, is: "=", value: each.value });
    else if (each.operator === "ne") where.push({ label: each.label, is: "!=", value: each.value });
    else notes.push(`Expressions are not drawn: series of every ${each.label} are shown.`);
  }
  const quantile = form.kind === "quantile" ? QUANTILES[String(figureOf(form.quantile) ?? "")] : undefined;
  if (form.kind === "quantile" && quantile === undefined) notes.push("This quantile is not drawn; the 99th percentile is shown.");
  const agg: Function = form.kind === "absence" ? "COUNT" : form.kind === "quantile" ? (quantile ?? "P99") : FUNCTIONS[form.aggregation];
  const minutes = Number(form.window);
  const granularity: Granularity | undefined = GRANULARITIES.find((each) => each.minutes === minutes && each.minutes <= 30)?.id;
  if (granularity === undefined) notes.push("Drawn minute by minute, not over the minutes of the rule.");
  const levels: RuleQuestion["levels"] = [];
  const put = (text: string, label: string) => {
    const value = figureOf(text);
    if (value !== undefined) levels.push({ value, label });
  };
  switch (form.kind) {
    case "threshold":
      put(form.threshold, "fires");
      if (form.recovery.trim() !== form.threshold.trim()) put(form.recovery, "recovers");
      break;
    case "quantile":
      if (quantile !== undefined) put(form.threshold, "fires");
      break;
    case "forecast":
      put(form.limit, "limit");
      break;
    case "absence":
      notes.push("Drawn are points in a bucket; the rule looks for minutes without any.");
      break;
    case "ratio":
      notes.push("Drawn is the metric alone, not divided.");
      break;
    default:
      notes.push("Drawn is the metric itself; the rule compares it with earlier values.");
  }
  const by = form.kind === "ratio" ? [] : form.perSeries ? labels.map((each) => `metric.${each}`).slice(0, 20) : form.groupBy;
  return { question: { metric: form.metric, agg, by, where, granularity: granularity ?? "PT1M", compare: false, alone: undefined }, agg, levels, notes };
}
