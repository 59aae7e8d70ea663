import type { Schemas } from "../api/queries";
import { FUNCTIONS, type Condition, type Function } from "./question";
import { MAX_CHOSEN, MAX_VARIABLES, referenceOf, VARIABLE_NAME, type Variable } from "./variables";

export const PANEL_TYPES = ["time_series", "stat", "table", "bar", "heat_map", "text"] as const;
export type PanelType = (typeof PANEL_TYPES)[number];

export const PANEL_TYPE_NAMES: Record<PanelType, string> = {
  time_series: "Lines over time",
  stat: "One figure",
  table: "Table of series",
  bar: "Bars of series",
  heat_map: "Heat map over time",
  text: "Text",
};

/** One picture of a dashboard. */
export interface Panel {
  title: string;
  type: PanelType;
  /** Empty for a text. */
  metric: string;
  agg: Function;
  by: string[];
  where: Condition[];
  /** Columns of two. */
  width: 1 | 2;
  text: string;
}

/** What people export and import, and what comes along for known types of resources. */
export interface Dashboard {
  title: string;
  description: string;
  /** Of which type of resource it is; absent for one of the whole environment. */
  resource_type?: string;
  /** Labels that readers choose values of; absent when there are none. */
  variables?: Variable[];
  panels: Panel[];
}

export const MAX_PANELS = 60;
export const MAX_BYTES = 256 * 1024;

const MEMBERS = new Set(["version", "title", "description", "resource_type", "variables", "panels"]);
const VARIABLE_MEMBERS = new Set(["name", "label", "default", "multi"]);
const PANEL_MEMBERS = new Set(["title", "type", "metric", "agg", "by", "where", "width", "text"]);

export interface Reading {
  dashboard?: Dashboard;
  /** All that is wrong with it. */
  faults: string[];
  /** Members that mean nothing here and are left out. */
  ignored: string[];
}

/** Reads a dashboard that came from outside, and says all that is wrong with it. */
export function dashboardOf(value: unknown): Reading {
  const faults: string[] = [];
  const ignored: string[] = [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { faults: ["A dashboard is a JSON object."], ignored };
  const fields = value as Record<string, unknown>;
  ignored.push(...Object.keys(fields).filter((name) => !MEMBERS.has(name)));
  const title = textOf(fields["title"], 100);
  if (fields["version"] !== 1) faults.push("version must be 1.");
  if (title === undefined || title.trim() === "") faults.push("title must have 1 to 100 characters.");
  const description = optional(fields["description"], 1000);
  if (description === undefined) faults.push("description must be a text of at most 1000 characters.");
  const type = optional(fields["resource_type"], 255);
  if (type === undefined) faults.push("resource_type must be a text of at most 255 characters.");
  const variables = variablesOf(fields["variables"], faults, ignored);
  if (!Array.isArray(fields["panels"])) faults.push("panels must be a list.");
  const listed = Array.isArray(fields["panels"]) ? fields["panels"] : [];
  if (listed.length > MAX_PANELS) faults.push(`At most ${MAX_PANELS} panels; there are ${listed.length}.`);
  const panels = listed.slice(0, MAX_PANELS).map((each: unknown, index) => panelOf(each, `Panel ${index + 1}`, faults, ignored));
  if (variables.length > 0) {
    panels.forEach((panel, index) => {
      for (const { value } of panel?.where ?? []) {
        const name = referenceOf(value);
        if (name !== undefined && variables.every((each) => each.name !== name)) faults.push(`Panel ${index + 1}: ${value} is no variable of the dashboard.`);
      }
    });
  }
  if (faults.length > 0) return { faults, ignored };
  return { dashboard: { title: title ?? "", description: description ?? "", ...(type ? { resource_type: type } : {}), ...(variables.length > 0 ? { variables } : {}), panels: panels.filter((each) => each !== undefined) }, faults, ignored };
}

function variablesOf(value: unknown, faults: string[], ignored: string[]): Variable[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MAX_VARIABLES) {
    faults.push(`variables must be a list of at most ${MAX_VARIABLES}.`);
    return [];
  }
  const found: Variable[] = [];
  value.forEach((each: unknown, index) => {
    const place = `Variable ${index + 1}`;
    if (typeof each !== "object" || each === null || Array.isArray(each)) {
      faults.push(`${place} must be an object.`);
      return;
    }
    const variable = each as Record<string, unknown>;
    ignored.push(...Object.keys(variable).filter((name) => !VARIABLE_MEMBERS.has(name)).map((name) => `${name} of ${place.toLowerCase()}`));
    const name = typeof variable["name"] === "string" && VARIABLE_NAME.test(variable["name"]) ? variable["name"] : undefined;
    if (name === undefined) faults.push(`${place}: name must be a letter or _, then letters, digits or _; at most 64 characters.`);
    else if (found.some((other) => other.name === name)) faults.push(`${place}: name repeats ${name}.`);
    const label = textOf(variable["label"], 512) || undefined;
    if (label === undefined) faults.push(`${place}: label must have 1 to 512 characters.`);
    const multi = variable["multi"] === true;
    if (variable["multi"] !== undefined && variable["multi"] !== null && typeof variable["multi"] !== "boolean") faults.push(`${place}: multi must be true or false.`);
    const values = listOf(variable["default"], MAX_CHOSEN, (one) => textOf(one, 1024) || undefined);
    if (values === undefined) faults.push(`${place}: default must be at most ${MAX_CHOSEN} values of 1 to 1024 characters.`);
    else if (!multi && values.length > 1) faults.push(`${place}: default has several values; set multi, or leave one.`);
    found.push({ name: name ?? "", label: label ?? "", default: values ?? [], multi });
  });
  return found;
}

function panelOf(value: unknown, place: string, faults: string[], ignored: string[]): Panel | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    faults.push(`${place} must be an object.`);
    return undefined;
  }
  const panel = value as Record<string, unknown>;
  ignored.push(...Object.keys(panel).filter((name) => !PANEL_MEMBERS.has(name)).map((name) => `${name} of ${place.toLowerCase()}`));
  const before = faults.length;
  const type = PANEL_TYPES.find((known) => known === panel["type"]);
  if (type === undefined) faults.push(`${place}: type must be one of ${PANEL_TYPES.join(", ")}.`);
  const title = optional(panel["title"], 100);
  if (title === undefined) faults.push(`${place}: title must have at most 100 characters.`);
  const text = optional(panel["text"], 4000);
  if (text === undefined) faults.push(`${place}: text must have at most 4000 characters.`);
  if (panel["width"] !== undefined && panel["width"] !== 1 && panel["width"] !== 2) faults.push(`${place}: width must be 1 or 2.`);
  const width = panel["width"] === 2 ? 2 : 1;
  if (type === "text") {
    return faults.length > before ? undefined : { title: title ?? "", type, metric: "", agg: "SUM", by: [], where: [], width, text: text ?? "" };
  }
  const metric = textOf(panel["metric"], 255);
  if (!metric) faults.push(`${place}: metric must have 1 to 255 characters.`);
  const agg = FUNCTIONS.find((known) => known === panel["agg"]);
  if (agg === undefined) faults.push(`${place}: agg must be one of ${FUNCTIONS.join(", ")}.`);
  const by = listOf(panel["by"], 20, (each) => textOf(each, 512) || undefined);
  if (by === undefined) faults.push(`${place}: by must be at most 20 labels.`);
  const where = listOf(panel["where"], 20, conditionOf);
  if (where === undefined) faults.push(`${place}: where must be at most 20 conditions of label, op (EQ or NE) and value.`);
  if (faults.length > before || !type || !metric || !agg) return undefined;
  return { title: title || metric, type, metric, agg, by: by ?? [], where: where ?? [], width, text: text ?? "" };
}

function conditionOf(value: unknown): Condition | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { label, op, value: compared } = value as Record<string, unknown>;
  if (!textOf(label, 512) || (op !== "EQ" && op !== "NE") || textOf(compared, 1024) === undefined) return undefined;
  return { label: label as string, is: op === "EQ" ? "=" : "!=", value: compared as string };
}

/** Every item read, or nothing when one cannot be. */
function listOf<T>(value: unknown, most: number, read: (each: unknown) => T | undefined): T[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > most) return undefined;
  const items = value.map(read);
  return items.includes(undefined) ? undefined : (items as T[]);
}

function optional(value: unknown, most: number): string | undefined {
  return value === undefined || value === null ? "" : textOf(value, most);
}

function textOf(value: unknown, most: number): string | undefined {
  return typeof value === "string" && [...value].length <= most ? value : undefined;
}

/** The same in the form of the API and of files; what is usual is left out. */
export function definitionOf(dashboard: Dashboard): Schemas["DashboardDefinition"] {
  return {
    version: 1,
    title: dashboard.title,
    ...(dashboard.description ? { description: dashboard.description } : {}),
    ...(dashboard.resource_type ? { resource_type: dashboard.resource_type } : {}),
    ...(dashboard.variables && dashboard.variables.length > 0
      ? { variables: dashboard.variables.map(({ name, label, default: values, multi }) => ({ name, label, ...(values.length > 0 ? { default: values } : {}), ...(multi ? { multi } : {}) })) }
      : {}),
    panels: dashboard.panels.map((panel) => ({
      ...(panel.title ? { title: panel.title } : {}),
      type: panel.type,
      ...(panel.type === "text"
        ? { text: panel.text }
        : {
            metric: panel.metric,
            agg: panel.agg,
            by: panel.by,
            ...(panel.where.length > 0 ? { where: panel.where.map(({ label, is, value }) => ({ label, op: is === "=" ? ("EQ" as const) : ("NE" as const), value })) } : {}),
          }),
      width: panel.width,
    })),
  };
}

/** The list with one item at another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return [...items];
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), item, ...others.slice(to)];
}
