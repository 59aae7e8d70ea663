import type { Schemas } from "../api/queries";
import { MAX_PANELS, type Dashboard, type Panel, type PanelType, type Reading } from "./dashboard";
import { displayed } from "./displayed";
import type { Condition, Function } from "./question";
import { MAX_CHOSEN, MAX_VARIABLES, referenceOf, VARIABLE_NAME, type Variable } from "./variables";

/** What is known of the metrics of the environment: names and labels as PromQL has them are made of these. */
export interface KnownMetric {
  name: string;
  type?: Schemas["MetricType"] | undefined;
  labels: readonly string[];
}

/** A dashboard of another tool, and all that could not be taken from it. */
export interface Translation extends Reading {
  left: string[];
}

type Fields = Record<string, unknown>;

const TYPES: Record<string, PanelType> = { timeseries: "time_series", graph: "time_series", stat: "stat", singlestat: "stat", gauge: "stat", table: "table", "table-old": "table", heatmap: "heat_map", bargauge: "bar", barchart: "bar", text: "text" };

export function isGrafana(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Fields;
  return "schemaVersion" in fields || ("panels" in fields && "__inputs" in fields) || (isFields(fields["dashboard"]) && "schemaVersion" in fields["dashboard"]);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown, most: number): string {
  return typeof value === "string" ? [...value].slice(0, most).join("") : "";
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Takes the PromQL panels of a dashboard of Grafana, and names what is left out and why. */
export function translated(value: Fields, known: readonly KnownMetric[]): Translation {
  // The HTTP API of Grafana wraps it.
  const source = isFields(value["dashboard"]) ? value["dashboard"] : value;
  const left: string[] = [];
  const title = text(source["title"], 100).trim() || "Imported dashboard";
  const panels: Panel[] = [];
  const templates = list(isFields(source["templating"]) ? source["templating"]["list"] : undefined).filter(isFields);
  const offered = templates.flatMap((each) => variableOf(each, known) ?? []).filter((each, index, all) => all.findIndex((other) => other.name === each.name) === index).slice(0, MAX_VARIABLES);
  const names = new Set(offered.map((each) => each.name));
  // Panels of a closed row are in the row; rows in rows do not exist, and rows of old dashboards are a list of their own.
  const listed = [...list(source["panels"]), ...list(source["rows"]).flatMap((row) => (isFields(row) ? list(row["panels"]) : []))].flatMap((each) => (isFields(each) && each["type"] === "row" ? list(each["panels"]) : [each]));
  for (const [index, each] of listed.entries()) {
    if (!isFields(each)) {
      left.push(`Panel ${index + 1} is no object.`);
      continue;
    }
    panels.push(...panelsOf(each, index, known, names, left));
  }
  const used = new Set(panels.slice(0, MAX_PANELS).flatMap((panel) => panel.where.map((each) => referenceOf(each.value))));
  const variables = offered.filter((each) => used.has(each.name));
  const others = templates.flatMap((each) => (typeof each["name"] === "string" && !variables.some((taken) => taken.name === each["name"]) ? [each["name"]] : []));
  if (others.length > 0) left.push(`Variables: ${others.slice(0, 20).map((name) => displayed(name, 40)).join(", ")}. Those that are no values of one label, or that no panel filters by, have no form here.`);
  if (list(isFields(source["annotations"]) ? source["annotations"]["list"] : undefined).some((each) => isFields(each) && each["builtIn"] !== 1)) left.push("Annotations.");
  if (panels.length > MAX_PANELS) left.push(`${panels.length - MAX_PANELS} panels behind the first ${MAX_PANELS}.`);
  if (panels.length === 0) return { faults: ["None of its panels can be shown here.", ...left], ignored: [], left };
  return { dashboard: { title, description: text(source["description"], 1000), ...(variables.length > 0 ? { variables } : {}), panels: panels.slice(0, MAX_PANELS) } satisfies Dashboard, faults: [], ignored: [], left };
}

const LABEL_VALUES = /^\s*label_values\s*\(\s*(?:([a-zA-Z_:][a-zA-Z0-9_:]*)?\s*(?:\{[^{}]*\})?\s*,\s*)?([a-zA-Z_][a-zA-Z0-9_]*)\s*\)\s*$/;

/** A template variable that is made of the values of one label. */
function variableOf(template: Fields, known: readonly KnownMetric[]): Variable | undefined {
  const query = isFields(template["query"]) ? template["query"]["query"] : template["query"];
  const name = template["name"];
  const read = LABEL_VALUES.exec(text(query, 4000) || text(template["definition"], 4000));
  if (template["type"] !== "query" || typeof name !== "string" || !VARIABLE_NAME.test(name) || !read) return undefined;
  const [, of, label = ""] = read;
  const metric = known.find((each) => prometheusName(each.name) === of || prometheusName(each.name) === of?.replace(/_(total|bucket|count|sum)$/, "")) ?? known.find((each) => each.labels.some((one) => prometheusName(one) === label));
  const multi = template["multi"] === true;
  const current = isFields(template["current"]) ? template["current"]["value"] : undefined;
  const values = (Array.isArray(current) ? (current as unknown[]) : [current]).filter((value): value is string => typeof value === "string" && value !== "" && value.length <= 1024);
  return { name, label: labelIn(metric, label), default: values.includes("$__all") ? [] : values.slice(0, multi ? MAX_CHOSEN : 1), multi };
}

/** A label as senders have it, where the metric is known. */
function labelIn(metric: KnownMetric | undefined, label: string): string {
  return `metric.${metric?.labels.find((each) => prometheusName(each) === label) ?? label}`;
}

function panelsOf(panel: Fields, index: number, known: readonly KnownMetric[], variables: ReadonlySet<string>, left: string[]): Panel[] {
  const title = text(panel["title"], 100).trim();
  const name = title === "" ? `Panel ${index + 1}` : `“${displayed(title, 60)}”`;
  const kind = text(panel["type"], 60);
  const type = TYPES[kind];
  if (type === undefined) {
    left.push(`${name}: panels of the kind ${displayed(kind || "none", 40)} do not exist here.`);
    return [];
  }
  const grid = isFields(panel["gridPos"]) ? panel["gridPos"]["w"] : panel["span"];
  const width = (typeof grid === "number" && grid > 12) || panel["span"] === 12 ? 2 : 1;
  if (type === "text") {
    const options = isFields(panel["options"]) ? panel["options"] : panel;
    return [{ title, type, metric: "", agg: "SUM", by: [], where: [], width, text: text(options["content"], 4000) }];
  }
  const targets = list(panel["targets"]).filter(isFields);
  if (targets.length === 0) {
    left.push(`${name}: it asks nothing.`);
    return [];
  }
  const found: Panel[] = [];
  targets.forEach((target, number) => {
    const expression = text(target["expr"], 4000);
    const place = targets.length === 1 ? name : `${name}, query ${number + 1}`;
    if (expression.trim() === "") {
      left.push(`${place}: it is no PromQL.`);
      return;
    }
    const read = readPromQl(expression, known, { isHeatMap: type === "heat_map", variables });
    if (typeof read === "string") {
      left.push(`${place}: ${read}`);
      return;
    }
    if (read.dropped.length > 0) left.push(`${place}: filters on ${read.dropped.map((each) => displayed(each, 40)).join(", ")}.`);
    if (!read.isKnown) left.push(`${place}: the metric ${displayed(read.metric, 80)} is not sent here yet; the panel waits for it.`);
    found.push({ title: targets.length === 1 ? title || read.metric : [...`${title || name} ${number + 1}`].slice(0, 100).join(""), type, metric: read.metric, agg: read.agg, by: read.by, where: read.where, width, text: "" });
  });
  return found;
}

interface Read {
  metric: string;
  isKnown: boolean;
  agg: Function;
  by: string[];
  where: Condition[];
  /** Labels whose filter has no form here. */
  dropped: string[];
}

const prometheusName = (name: string) => name.replaceAll(/[^A-Za-z0-9_:]/g, "_").replace(/^(\d)/, "_$1");

const NAME = String.raw`[a-zA-Z_:][a-zA-Z0-9_:]*`;
const SELECTOR = new RegExp(String.raw`^(${NAME})\s*(?:\{([^{}]*)\})?\s*(\[[^\]]*\])?\s*(offset\s+\S+)?$`);
const HEAD = new RegExp(String.raw`^(${NAME})\s*(?:(by|without)\s*\(([^()]*)\)\s*)?\(`);
const TAIL = /^\s*(?:(by|without)\s*\(([^()]*)\)\s*)?$/;
/** A matcher's whole value, as Grafana writes variables. */
const VARIABLE = /^(?:\$(\w+)|\[\[(\w+)(?::\w+)?\]\])$/;
const NO_VARIABLES: ReadonlySet<string> = new Set();
const AGGREGATIONS: Record<string, Function> = { sum: "SUM", avg: "AVG", min: "MIN", max: "MAX", count: "COUNT" };
const OVER_TIME: Record<string, Function> = { rate: "RATE", irate: "RATE", increase: "SUM", delta: "SUM", sum_over_time: "SUM", avg_over_time: "AVG", min_over_time: "MIN", max_over_time: "MAX", last_over_time: "LAST", count_over_time: "COUNT" };
const QUANTILES: Record<string, Function> = { "0.5": "P50", "0.50": "P50", "0.75": "P75", "0.9": "P90", "0.90": "P90", "0.95": "P95", "0.99": "P99" };

interface Call {
  name: string;
  word: string | undefined;
  labels: string | undefined;
  argument: string;
}

/** The expression as one call, with the labels before or behind its argument; undefined where it is more than that. */
function callOf(expression: string): Call | undefined {
  const head = HEAD.exec(expression);
  if (!head) return undefined;
  let depth = 1;
  let at = head[0].length;
  for (; at < expression.length && depth > 0; at++) {
    if (expression[at] === "(") depth++;
    if (expression[at] === ")") depth--;
  }
  const tail = depth === 0 ? TAIL.exec(expression.slice(at)) : null;
  if (!tail) return undefined;
  return { name: head[1] ?? "", word: head[2] ?? tail[1], labels: head[3] ?? tail[2], argument: expression.slice(head[0].length, at - 1).trim() };
}

/**
 * Reads one aggregation of one metric, or says in a sentence why there is no panel for it. In a heat map the buckets of a histogram are
 * its distribution.
 */
export function readPromQl(source: string, known: readonly KnownMetric[], { isHeatMap = false, variables = NO_VARIABLES }: { isHeatMap?: boolean; variables?: ReadonlySet<string> } = {}): Read | string {
  // Braces of variables are none of a selector.
  let expression = source.trim().replaceAll(/\$\{(\w+)(?::\w+)?\}/g, (_, name: string) => `$${name}`);
  let outer: Function | undefined;
  let inner: Function | undefined;
  let quantile: Function | undefined;
  let by: string[] | undefined;
  for (let depth = 0; depth < 8; depth++) {
    const selector = SELECTOR.exec(expression);
    if (selector) {
      if (selector[4]) return "an offset has no form here.";
      return assembled(selector[1] ?? "", selector[2] ?? "", outer, inner, quantile, by, known, isHeatMap, variables);
    }
    const call = callOf(expression);
    if (!call) return `“${displayed(expression, 80)}” joins or computes with several metrics, which has no form here.`;
    const { name, word, labels, argument } = call;
    if (word === "without") return "without has no form here; by has.";
    if (AGGREGATIONS[name] !== undefined) {
      outer ??= AGGREGATIONS[name];
      by ??= labels?.split(",").map((each) => each.trim()).filter((each) => each !== "" && each !== "le") ?? [];
      expression = argument;
    } else if (OVER_TIME[name] !== undefined) {
      inner ??= OVER_TIME[name];
      expression = argument;
    } else if (name === "histogram_quantile") {
      const comma = argument.indexOf(",");
      quantile = QUANTILES[argument.slice(0, comma).trim()];
      if (quantile === undefined) return `the quantile ${displayed(argument.slice(0, comma).trim(), 20)} has no form here.`;
      expression = argument.slice(comma + 1).trim();
    } else {
      return `the function ${displayed(name, 40)} has no form here.`;
    }
  }
  return "it is nested too deeply.";
}

function assembled(prometheusMetric: string, matchers: string, outer: Function | undefined, inner: Function | undefined, quantile: Function | undefined, by: string[] | undefined, known: readonly KnownMetric[], isHeatMap: boolean, variables: ReadonlySet<string>): Read | string {
  const isBucket = (quantile !== undefined || isHeatMap) && prometheusMetric.endsWith("_bucket");
  const bare = isBucket ? prometheusMetric.slice(0, -"_bucket".length) : prometheusMetric;
  const metric = known.find((each) => prometheusName(each.name) === bare) ?? known.find((each) => prometheusName(each.name) === bare.replace(/_total$/, ""));
  const labelOf = (label: string) => labelIn(metric, label);
  const where: Condition[] = [];
  const dropped: string[] = [];
  for (const part of matchers.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')/g)) {
    const [, label = "", operator = "", double, single] = part;
    const value = (double ?? single ?? "").replaceAll(/\\(.)/g, "$1");
    if (label === "environment_id" || label === "le") continue;
    const alternatives = operator === "=~" && /^[\w:./ -]+(?:\|[\w:./ -]+)*$/.test(value) ? value.split("|") : undefined;
    const variable = VARIABLE.exec(value)?.slice(1).find((each) => each !== undefined);
    if (variable !== undefined && variables.has(variable) && where.length < 20) where.push({ label: labelOf(label), is: operator.startsWith("!") ? "!=" : "=", value: `$${variable}` });
    else if (/\$|\[\[/.test(value) || where.length >= 20) dropped.push(label);
    else if (operator === "=" || operator === "!=") where.push({ label: labelOf(label), is: operator, value });
    else if (alternatives) where.push(...alternatives.map((each) => ({ label: labelOf(label), is: "=" as const, value: each })));
    else dropped.push(label);
  }
  const agg = quantile ?? (inner === "RATE" || inner === "COUNT" || outer === undefined ? (inner ?? "LAST") : outer === "SUM" ? (inner ?? "SUM") : outer);
  // A variable as a label to group by names none.
  const groups = (by ?? []).filter((each) => /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(each)).map(labelOf);
  return { metric: metric?.name ?? bare, isKnown: metric !== undefined, agg, by: groups.slice(0, 20), where: where.slice(0, 20), dropped: [...new Set(dropped)] };
}
