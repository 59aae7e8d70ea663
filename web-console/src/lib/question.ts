import type { MetricsSchemas, QueryRequest, Schemas } from "../api/queries";
import type { Growth } from "./series";
import { bucketMs, fits, granularityFor, intervalOf, type Granularity } from "./time-range";

export const FUNCTIONS = ["SUM", "RATE", "AVG", "MIN", "MAX", "COUNT", "LAST", "P50", "P75", "P90", "P95", "P99"] as const;
export type Function = (typeof FUNCTIONS)[number];

export const FUNCTION_NAMES: Record<Function, string> = {
  SUM: "Sum",
  RATE: "Rate per second",
  AVG: "Average",
  MIN: "Minimum",
  MAX: "Maximum",
  COUNT: "Count of points",
  LAST: "Last",
  P50: "Median",
  P75: "75th percentile",
  P90: "90th percentile",
  P95: "95th percentile",
  P99: "99th percentile",
};

export type Comparison = "=" | "!=";

/** One condition on a label; several values of one label are alternatives. */
export interface Condition {
  label: string;
  is: Comparison;
  value: string;
}

/** What the Explorer asks, as its address holds it. */
export interface Question {
  metric: string | undefined;
  agg: Function | undefined;
  by: string[];
  where: Condition[];
  granularity: Granularity | undefined;
  compare: boolean;
  alone: string | undefined;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string" && each.length <= 512).slice(0, 20) : [];
}

/** Reads an address; whatever makes no sense in it is left out. */
export function questionOf(search: Record<string, unknown>): Question {
  const metric = search["metric"];
  const agg = FUNCTIONS.find((each) => each === search["agg"]);
  const where: Condition[] = [];
  if (Array.isArray(search["where"])) {
    for (const each of search["where"].slice(0, 50)) {
      if (Array.isArray(each) && typeof each[0] === "string" && (each[1] === "=" || each[1] === "!=") && typeof each[2] === "string") {
        where.push({ label: each[0], is: each[1], value: each[2] });
      }
    }
  }
  const granularity = typeof search["gran"] === "string" && fits(search["gran"] as Granularity, 0) ? (search["gran"] as Granularity) : undefined;
  return {
    metric: typeof metric === "string" && metric !== "" ? metric : undefined,
    agg,
    by: strings(search["by"]),
    where,
    granularity,
    compare: search["compare"] === 1,
    alone: typeof search["alone"] === "string" ? search["alone"] : undefined,
  };
}

/** The same as members of an address; what is usual is left out. */
export function searchOf(question: Partial<Question>): Record<string, unknown> {
  return {
    ...("metric" in question ? { metric: question.metric } : {}),
    ...("agg" in question ? { agg: question.agg } : {}),
    ...("by" in question ? { by: question.by?.length ? question.by : undefined } : {}),
    ...("where" in question ? { where: question.where?.length ? question.where.map(({ label, is, value }) => [label, is, value]) : undefined } : {}),
    ...("granularity" in question ? { gran: question.granularity } : {}),
    ...("compare" in question ? { compare: question.compare ? 1 : undefined } : {}),
    ...("alone" in question ? { alone: question.alone } : {}),
  };
}

/** What people most likely want to see of a metric of this type. */
export function usualFunction(type: Schemas["MetricType"] | undefined): Function {
  switch (type) {
    case "counter":
      return "RATE";
    case "histogram":
    case "exponential_histogram":
      return "P95";
    case "gauge":
      return "AVG";
    default:
      return "SUM";
  }
}

type Filter = MetricsSchemas["Filter"];

/** Conditions of one label that ask for equality are alternatives; everything else has to hold. */
export function filterOf(environment: string, where: readonly Condition[]): Filter {
  const all: Filter[] = [equal("environment.id", environment)];
  const labels = new Set(where.filter((each) => each.is === "=").map((each) => each.label));
  for (const label of labels) {
    const any = where.filter((each) => each.is === "=" && each.label === label).map((each) => equal(label, each.value));
    all.push(any.length === 1 && any[0] ? any[0] : { op: "OR", filters: any });
  }
  for (const each of where) {
    if (each.is === "!=") all.push({ op: "NOT", filter: equal(each.label, each.value) });
  }
  return all.length === 1 && all[0] ? all[0] : { op: "AND", filters: all };
}

function equal(field: string, value: string): Filter {
  return { op: "EQ", field, value: value as never };
}

/** The bucket that is asked for: the wished one where the API answers it for this length. */
export function granularityOf(question: Question, bounds: { from: number; to: number }): Granularity {
  const length = bounds.to - bounds.from;
  return question.granularity && fits(question.granularity, length) ? question.granularity : granularityFor(length);
}

/** A request of the Metrics API. */
export function requestOf(question: Question, agg: Function, environment: string, bounds: { from: number; to: number }): QueryRequest {
  const granularity = granularityOf(question, bounds);
  return {
    aggregations: [{ metric: question.metric ?? "", agg: agg === "RATE" ? "SUM" : agg }],
    filter: filterOf(environment, question.where),
    granularity,
    ...(question.by.length > 0 ? { group_by: question.by, limit: 200 } : {}),
    intervals: [intervalOf(bounds, granularity)],
    bucket_states: true,
    explain: true,
  };
}

export function isHistogram(type: Schemas["MetricType"] | undefined): boolean {
  return type === "histogram" || type === "exponential_histogram";
}

/** The question how the observations of a histogram are spread. */
export function spreadRequestOf(question: Question, environment: string, bounds: { from: number; to: number }): QueryRequest {
  return { ...requestOf({ ...question, by: [] }, "P50", environment, bounds), distributions: true };
}

/** Whether a value of a bucket grows until the bucket is over. */
export function growthOf(agg: Function): Growth {
  return agg === "RATE" ? "rate" : agg === "SUM" || agg === "COUNT" ? "sum" : "none";
}

/** By what values are divided to be shown. */
export function divisor(agg: Function, granularity: Granularity): number {
  return agg === "RATE" ? bucketMs(granularity) / 1000 : 1;
}

export function unitOf(agg: Function, unit: string): string {
  if (agg === "COUNT") return "";
  const plain = unit === "1" ? "" : unit;
  return agg === "RATE" ? `${plain}/s` : plain;
}

/** A name as the Prometheus API has it. */
function prometheusName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_:]/g, "_").replace(/^(\d)/, "_$1");
}

function prometheusLabel(label: string): string {
  return prometheusName(label.replace(/^metric\./, ""));
}

const quoted = (text: string) => JSON.stringify(text);

/** The same question for the API that speaks Prometheus; undefined where that has no word for it. */
export function promqlOf(question: Question, agg: Function, granularity: Granularity, environment: string, type: Schemas["MetricType"] | undefined): string | undefined {
  const matchers = [`environment_id=${quoted(environment)}`, ...question.where.map((each) => `${prometheusLabel(each.label)}${each.is}${quoted(each.value)}`)];
  const name = prometheusName(question.metric ?? "");
  const labels = `{${matchers.join(",")}}`;
  const range = `[${bucketMs(granularity) / 60_000}m]`;
  const by = question.by.length > 0 ? ` by (${question.by.map(prometheusLabel).join(", ")})` : "";
  const counted = isHistogram(type);
  const counter = counted ? `${name}_sum` : name;
  switch (agg) {
    case "RATE":
      return type === "gauge" ? undefined : `sum${by} (rate(${counter}${labels}${range}))`;
    case "SUM":
      return type === "gauge" ? `sum${by} (avg_over_time(${name}${labels}${range}))` : `sum${by} (increase(${counter}${labels}${range}))`;
    case "COUNT":
      return counted ? `sum${by} (increase(${name}_count${labels}${range}))` : type === "gauge" ? `sum${by} (count_over_time(${name}${labels}${range}))` : undefined;
    case "LAST":
      return type === "gauge" ? `sum${by} (last_over_time(${name}${labels}${range}))` : undefined;
    case "AVG":
    case "MIN":
    case "MAX":
      return type === "gauge" ? `${agg.toLowerCase()}${by} (${agg.toLowerCase()}_over_time(${name}${labels}${range}))` : undefined;
    default:
      return counted ? `histogram_quantile(0.${agg.slice(1)}, sum${by} (rate(${name}${labels}${range})))` : undefined;
  }
}

/** The same question for a terminal; the key is left to be put in. */
export function curlOf(origin: string, request: QueryRequest): string {
  const text = JSON.stringify(request, null, 2).replaceAll("'", "'\\''");
  return `curl -sS ${origin}/v2/metrics/cloud/query \\\n  -H "Authorization: Bearer $TIDEMARK_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '${text}'`;
}

export function pythonOf(origin: string, request: QueryRequest): string {
  return `import json, os, urllib.request

question = json.loads(${JSON.stringify(JSON.stringify(request))})
request = urllib.request.Request(
    "${origin}/v2/metrics/cloud/query",
    data=json.dumps(question).encode(),
    headers={"Authorization": "Bearer " + os.environ["TIDEMARK_KEY"], "Content-Type": "application/json"},
)
answer = json.load(urllib.request.urlopen(request))
print(answer["meta"]["completeness"])
for row in answer["data"]:
    print(row)`;
}

/** A text of HCL: its templates are text here. */
function hclText(text: string): string {
  return JSON.stringify(text).replaceAll("\\b", "\\u0008").replaceAll("\\f", "\\u000c").replaceAll("${", () => "$${").replaceAll("%{", "%%{");
}

/** The question as one of the panels of a tidemark_dashboard in Terraform. */
export function terraformPanelOf(question: Question, agg: Function): string {
  const members = [`type = "time_series"`, `metric = ${hclText(question.metric ?? "")}`, `agg = "${agg}"`];
  if (question.by.length > 0) members.push(`by = [${question.by.map(hclText).join(", ")}]`);
  if (question.where.length > 0) members.push(`where = [${question.where.map(({ label, is, value }) => `{ label = ${hclText(label)}, op = "${is === "=" ? "EQ" : "NE"}", value = ${hclText(value)} }`).join(", ")}]`);
  return `{ ${members.join(", ")} },`;
}

/** A job with which Prometheus scrapes the metric; undefined while the question names no resource, which the export needs. */
export function scrapeJobOf(origin: string, question: Question): string | undefined {
  const resources = question.where.filter((each) => each.is === "=" && /^resource\.[^.]+\.id$/.test(each.label));
  if (resources.length === 0) return undefined;
  const { host, protocol } = new URL(origin);
  const params = new Map<string, string[]>([["metric", [question.metric ?? ""]]]);
  for (const { label, value } of resources) params.set(label, [...(params.get(label) ?? []), value]);
  return [
    "- job_name: tidemark",
    "  honor_timestamps: true",
    "  scrape_interval: 60s",
    `  scheme: ${protocol.replace(":", "")}`,
    "  metrics_path: /v2/metrics/cloud/export",
    "  params:",
    ...[...params].map(([name, values]) => `    ${JSON.stringify(name)}: [${values.map((value) => JSON.stringify(value)).join(", ")}]`),
    "  authorization:",
    "    credentials_file: /etc/prometheus/tidemark-key",
    "  static_configs:",
    `    - targets: [${JSON.stringify(host)}]`,
    "",
  ].join("\n");
}
