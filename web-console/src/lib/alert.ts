import type { Schemas } from "../api/queries";
import { shortLabel } from "./series";

export type AlertCondition = Schemas["AlertCondition"];
export type AlertKind = Schemas["AlertKind"];
export type AlertAggregation = Schemas["AlertAggregation"];
export type AlertState = Schemas["AlertState"];

export const KIND_NAMES: Record<AlertKind, string> = {
  threshold: "Value against a threshold",
  change: "Change against earlier",
  absence: "Minutes without data",
  ratio: "Ratio of two metrics",
  quantile: "Quantile of a histogram",
  anomaly: "Unlike the same hour of days before",
  forecast: "Minutes until a limit is reached",
};

export const AGGREGATION_NAMES: Record<AlertAggregation, string> = {
  sum: "Sum",
  count: "Count of points",
  min: "Minimum",
  max: "Maximum",
  avg: "Average",
  last: "Last",
  rate: "Rate per second",
};

export const OPERATOR_NAMES: Record<Schemas["AlertOperator"], string> = { gt: "above", gte: "at or above", lt: "below", lte: "at or below" };

export const STATE_TONES: Record<AlertState, string> = { normal: "ok", pending: "warn", firing: "danger", no_data: "warn", blind: "warn" };

export const STATE_NAMES: Record<AlertState, string> = { normal: "normal", pending: "pending", firing: "firing", no_data: "no data", blind: "blind" };

/** What the states mean, for whoever has not met them. */
export const STATE_MEANINGS: Record<AlertState, string> = {
  normal: "The condition does not hold.",
  pending: "The condition holds, but not for long enough yet.",
  firing: "The condition holds.",
  no_data: "There is no value to decide by.",
  blind: "The rows to decide are not complete, or nobody evaluates.",
};

/** A form as people fill it; figures are texts until they are sent. */
export interface RuleForm {
  name: string;
  description: string;
  enabled: boolean;
  severity: Schemas["AlertSeverity"];
  kind: AlertKind;
  metric: string;
  aggregation: AlertAggregation;
  matchers: Schemas["LabelMatcher"][];
  perSeries: boolean;
  groupBy: string[];
  window: string;
  operator: Schemas["AlertOperator"];
  threshold: string;
  recovery: string;
  forMinutes: string;
  recoverAfter: string;
  noDataAfter: string;
  offset: string;
  percent: boolean;
  denominator: string;
  denominatorAggregation: AlertAggregation;
  quantile: string;
  days: string;
  limit: string;
  early: boolean;
  labels: string;
  annotations: string;
  runbook: string;
}

export const EMPTY_RULE: RuleForm = {
  name: "",
  description: "",
  enabled: true,
  severity: "warning",
  kind: "threshold",
  metric: "",
  aggregation: "avg",
  matchers: [],
  perSeries: false,
  groupBy: [],
  window: "5",
  operator: "gt",
  threshold: "",
  recovery: "",
  forMinutes: "0",
  recoverAfter: "0",
  noDataAfter: "5",
  offset: "60",
  percent: true,
  denominator: "",
  denominatorAggregation: "sum",
  quantile: "0.99",
  days: "7",
  limit: "",
  early: false,
  labels: "",
  annotations: "",
  runbook: "",
};

const pairsText = (pairs: Record<string, string>) =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}: ${value.replaceAll("\n", " ")}`)
    .join("\n");

export function formOf(rule: Schemas["AlertRule"]): RuleForm {
  const condition = rule.condition;
  const figure = (value: number | undefined, otherwise: string) => (value === undefined ? otherwise : String(value));
  return {
    name: rule.name,
    description: rule.description,
    enabled: rule.enabled,
    severity: rule.severity,
    kind: condition.kind ?? "threshold",
    metric: condition.metric,
    aggregation: condition.aggregation ?? "avg",
    matchers: condition.matchers ?? [],
    perSeries: condition.per_series ?? false,
    groupBy: condition.group_by ?? [],
    window: figure(condition.window_minutes, "1"),
    operator: condition.operator,
    threshold: figure(condition.threshold, ""),
    recovery: condition.recovery_threshold === condition.threshold ? "" : figure(condition.recovery_threshold, ""),
    forMinutes: figure(condition.for_minutes, "0"),
    recoverAfter: figure(condition.recover_after_minutes, "0"),
    noDataAfter: figure(condition.no_data_after_minutes, "5"),
    offset: figure(condition.offset_minutes, "60"),
    percent: condition.percent ?? false,
    denominator: condition.denominator_metric ?? "",
    denominatorAggregation: condition.denominator_aggregation ?? "sum",
    quantile: figure(condition.quantile, "0.99"),
    days: figure(condition.days, "7"),
    limit: figure(condition.limit, ""),
    early: condition.early ?? false,
    labels: pairsText(rule.labels),
    annotations: pairsText(rule.annotations),
    runbook: rule.runbook_url ?? "",
  };
}

const GROWING: AlertAggregation[] = ["sum", "count", "rate"];

/** Why open minutes cannot raise with this condition; undefined when they can. */
export function earlyObstacle(form: Pick<RuleForm, "kind" | "aggregation" | "operator">): string | undefined {
  const growing = GROWING.includes(form.aggregation);
  if (form.kind === "absence") return "Absence is known when a minute is complete.";
  if (form.kind === "forecast" && growing) return "The sum, count or rate of an unfinished minute is too small.";
  if ((form.kind === "threshold" || form.kind === "change" || form.kind === "anomaly") && growing && form.operator.startsWith("l")) return "The sum, count or rate of an unfinished minute is too small.";
  return undefined;
}

export type RuleFaults = Partial<Record<keyof RuleForm, string>>;

/** Reads lines of "name: value"; undefined for lines of another form. */
export function pairsOf(text: string): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const at = line.indexOf(":");
    if (at < 1) return undefined;
    pairs[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return pairs;
}

/** What is sent, or what is wrong by field; all at once. */
export function draftOf(form: RuleForm): { draft?: Schemas["AlertRuleDraft"]; faults: RuleFaults } {
  const faults: RuleFaults = {};
  const figure = (field: keyof RuleForm): number => {
    const text = String(form[field]).trim();
    const value = text === "" ? NaN : Number(text);
    if (!Number.isFinite(value)) faults[field] = "A number is needed.";
    return value;
  };
  const minutes = (field: keyof RuleForm, least: number): number => {
    const value = figure(field);
    if (!faults[field] && !(Number.isInteger(value) && value >= least && value <= 1440)) faults[field] = `Whole minutes, ${least} to 1440.`;
    return value;
  };
  const name = form.name.trim();
  if (name === "" || name.length > 120) faults.name = "1 to 120 characters.";
  if (form.metric === "") faults.metric = "Choose a metric.";
  const condition: AlertCondition = {
    kind: form.kind,
    metric: form.metric,
    operator: form.operator,
    threshold: figure("threshold"),
    window_minutes: minutes("window", form.kind === "forecast" ? 5 : 1),
    for_minutes: minutes("forMinutes", 0),
    recover_after_minutes: minutes("recoverAfter", 0),
    no_data_after_minutes: minutes("noDataAfter", 1),
    ...(form.kind === "absence" || form.kind === "quantile" ? {} : { aggregation: form.aggregation }),
    ...(form.matchers.length > 0 ? { matchers: form.matchers } : {}),
    ...(form.perSeries && form.kind !== "ratio" ? { per_series: true } : form.groupBy.length > 0 ? { group_by: form.groupBy } : {}),
  };
  if (form.recovery.trim() !== "") {
    condition.recovery_threshold = figure("recovery");
    const upper = form.operator.startsWith("g");
    if (!faults.recovery && !faults.threshold && (upper ? condition.recovery_threshold > condition.threshold : condition.recovery_threshold < condition.threshold)) {
      faults.recovery = "Must be on the other side of the threshold: beyond it the alert would end while it fires.";
    }
  }
  if (form.kind === "change") {
    condition.offset_minutes = minutes("offset", 1);
    condition.percent = form.percent;
  }
  if (form.kind === "ratio") {
    condition.denominator_metric = form.denominator;
    condition.denominator_aggregation = form.denominatorAggregation;
    if (form.denominator === "") faults.denominator = "Choose a metric.";
  }
  if (form.kind === "quantile") {
    condition.quantile = figure("quantile");
    if (!faults.quantile && !(condition.quantile > 0 && condition.quantile < 1)) faults.quantile = "Between 0 and 1, as in 0.99.";
  }
  if (form.kind === "anomaly") {
    condition.days = figure("days");
    if (!faults.days && !(Number.isInteger(condition.days) && condition.days >= 2 && condition.days <= 14)) faults.days = "Whole days, 2 to 14.";
  }
  if (form.kind === "forecast") condition.limit = figure("limit");
  if (form.early && earlyObstacle(form) === undefined) {
    condition.early = true;
    if (!faults.window && condition.window_minutes !== undefined && condition.window_minutes > 15) faults.window = "At most 15 minutes when open minutes may raise.";
  }
  const labels = pairsOf(form.labels);
  if (labels === undefined) faults.labels = "One label a line, as in team: streaming.";
  const annotations = pairsOf(form.annotations);
  if (annotations === undefined) faults.annotations = "One annotation a line, as in summary: the queue grows.";
  if (form.runbook.trim() !== "" && !/^https?:\/\/[^\s]+$/.test(form.runbook.trim())) faults.runbook = "Begins with https:// or http://.";
  if (Object.keys(faults).length > 0) return { faults };
  return {
    draft: {
      name,
      description: form.description.trim(),
      enabled: form.enabled,
      severity: form.severity,
      condition,
      labels: labels ?? {},
      annotations: annotations ?? {},
      ...(form.runbook.trim() !== "" ? { runbook_url: form.runbook.trim() } : {}),
    },
    faults,
  };
}

/** The same rule as it is sent again, with one thing changed. */
export function draftLike(rule: Schemas["AlertRule"], part: Partial<Schemas["AlertRuleDraft"]>): Schemas["AlertRuleDraft"] {
  const { name, description, enabled, severity, condition, labels, annotations, runbook_url } = rule;
  return { name, description, enabled, severity, condition, labels, annotations, ...(runbook_url !== undefined ? { runbook_url } : {}), ...part };
}

/** A condition in a sentence. */
export function sentenceOf(condition: AlertCondition): string {
  const metric = condition.metric;
  const window = condition.window_minutes ?? 1;
  const over = window === 1 ? "in a minute" : `over ${window} min`;
  const aggregation = AGGREGATION_NAMES[condition.aggregation ?? "avg"].toLowerCase();
  const what = (() => {
    switch (condition.kind ?? "threshold") {
      case "change":
        return `Change of the ${aggregation} of ${metric} ${over} against ${condition.offset_minutes ?? 0} min before`;
      case "absence":
        return `Minutes in a row without ${metric}`;
      case "ratio":
        return `${aggregation} of ${metric} by ${AGGREGATION_NAMES[condition.denominator_aggregation ?? condition.aggregation ?? "sum"].toLowerCase()} of ${condition.denominator_metric ?? "another"} ${over}`;
      case "quantile":
        return `Quantile ${condition.quantile ?? 0} of ${metric} ${over}`;
      case "anomaly":
        return `Distance of the ${aggregation} of ${metric} ${over} from the same hour of ${condition.days ?? 0} days`;
      case "forecast":
        return `Minutes until ${metric} reaches ${condition.limit ?? 0}`;
      default:
        return `${aggregation} of ${metric} ${over}`;
    }
  })();
  const unit = condition.kind === "change" && condition.percent ? " %" : "";
  const long = condition.for_minutes ? ` for ${condition.for_minutes} min` : "";
  const groups = condition.per_series ? ", each series" : condition.group_by?.length ? `, by ${condition.group_by.map(shortLabel).join(", ")}` : "";
  const early = condition.early ? ", early" : "";
  const text = `${what} ${OPERATOR_NAMES[condition.operator]} ${condition.threshold}${unit}${long}${groups}${early}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Labels of a group for people; of one that is all series, too. */
export function groupText(group: Record<string, string>): string {
  const entries = Object.entries(group);
  return entries.length === 0 ? "all series" : entries.map(([name, value]) => `${shortLabel(name)}=${value}`).join(" ");
}
