import type { Schemas } from "../../api/queries";

export type Load = Schemas["SizingLoad"];
export type FieldName = keyof Load;
/** What a person typed, or the address says, by field; what is absent is as usual. */
export type LoadTexts = Partial<Record<FieldName, string>>;

export interface NumberField {
  name: FieldName;
  label: string;
  hint?: string;
  min: number;
  max: number;
  whole?: boolean;
}

const MAX = 1e12;
const DAYS = { min: 0.01, max: 36_500 };
const COPIES = { min: 1, max: 100, whole: true };
const SHARE = { min: 0, max: 1 };

/** The inputs in groups, with the bounds of the contract. */
export const GROUPS: readonly { title: string; fields: readonly NumberField[] }[] = [
  {
    title: "What is sent and asked",
    fields: [
      { name: "points", label: "Points a second", min: 1, max: MAX },
      { name: "series", label: "Active series", min: 1, max: MAX },
      { name: "labels", label: "Labels of a series", hint: "Its resource's included.", min: 0, max: 1000 },
      { name: "requests", label: "Queries a second", min: 0, max: 1e9 },
      { name: "groups", label: "Consumer groups", hint: "That read the points topic.", min: 0, max: 10_000, whole: true },
      { name: "replication", label: "Copies in Kafka", ...COPIES },
    ],
  },
  {
    title: "How long it is kept",
    fields: [
      { name: "kafka_days", label: "Days in Kafka", ...DAYS },
      { name: "hot_hours", label: "Hours on Druid's hot tier", ...DAYS },
      { name: "minutes_days", label: "Days of minutes in Druid", ...DAYS },
      { name: "lake_days", label: "Days in the lake", ...DAYS },
    ],
  },
  {
    title: "More",
    fields: [
      { name: "late", label: "Share of late points", hint: "That open a minute anew.", ...SHARE },
      { name: "split", label: "Share of split series", hint: "Kept in full detail once more.", ...SHARE },
      { name: "segment_replicas", label: "Copies of segments", hint: "On Druid's default tier.", ...COPIES },
      { name: "task_replicas", label: "Copies of streaming tasks", hint: "Of Druid.", ...COPIES },
      { name: "busy", label: "Share of busy cores", hint: "That is planned for.", min: 0.01, max: 1 },
    ],
  },
];

const NUMBERS = GROUPS.flatMap((group) => group.fields);

export const MACHINES = [
  { name: "brokers", label: "Kafka brokers", of: "machines" },
  { name: "broker_volume", label: "Volume of a broker", of: "volumes" },
  { name: "workers", label: "Workers", of: "machines" },
  { name: "historicals", label: "Druid historicals", of: "machines" },
] as const;

const NAMES: readonly FieldName[] = [...NUMBERS.map((field) => field.name), ...MACHINES.map((field) => field.name)];

/** A figure without separators; undefined when it is none. */
function numberOf(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,_]/g, "");
  return /^\d+(\.\d+)?(e\d{1,2})?$/i.test(plain) ? Number(plain) : undefined;
}

/** What is wrong with a field, or nothing. */
export function faultOf(field: NumberField, text: string): string | undefined {
  const value = numberOf(text);
  if (value === undefined) return "A figure, as in 200000 or 0.5.";
  if (field.whole && !Number.isInteger(value)) return "A whole figure.";
  if (value < field.min || value > field.max) return `From ${figure(field.min)} to ${figure(field.max)}.`;
  return undefined;
}

/** The faults of all that was typed. */
export function faultsOf(texts: LoadTexts): LoadTexts {
  const faults: LoadTexts = {};
  for (const field of NUMBERS) {
    const text = texts[field.name];
    const fault = text === undefined ? undefined : faultOf(field, text);
    if (fault !== undefined) faults[field.name] = fault;
  }
  return faults;
}

/** What the server says of single fields, as in "points must be 1 to 9."; the rest is left out. */
export function faultsByField(said: readonly string[]): LoadTexts {
  const faults: LoadTexts = {};
  for (const each of said) {
    const name = NAMES.find((field) => each.startsWith(`${field} `));
    if (name) faults[name] = `${each.charAt(name.length + 1).toUpperCase()}${each.slice(name.length + 2)}`;
  }
  return faults;
}

/** What an address says; whatever is no text or figure is left out. */
export function textsOf(search: Record<string, unknown>): LoadTexts {
  const texts: LoadTexts = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === "number" || (typeof value === "string" && value !== "" && value.length <= 64)) texts[name] = String(value);
  }
  return texts;
}

/** The same as people write it: figures with separators. */
export function writtenOf(texts: LoadTexts): LoadTexts {
  const written: LoadTexts = { ...texts };
  for (const { name } of NUMBERS) {
    const value = numberOf(texts[name] ?? "");
    if (value !== undefined) written[name] = figure(value);
  }
  return written;
}

/** For the address and the question: what is as usual is not in it. */
export function changesOf(texts: LoadTexts, usual: Load): Partial<Record<FieldName, number | string>> {
  const changes: Partial<Record<FieldName, number | string>> = {};
  for (const name of NAMES) {
    const text = texts[name];
    if (text === undefined) continue;
    const value = numberOf(text) ?? text;
    if (value !== usual[name]) changes[name] = value;
  }
  return changes;
}

/** The same as a command. */
export function commandOf(search: LoadTexts): string {
  const pairs = NAMES.flatMap((name) => (search[name] === undefined ? [] : [`${name.replaceAll("_", "-")}=${search[name]}`]));
  return pairs.length === 0 ? "make sizing" : `make sizing LOAD="${pairs.join(" ")}"`;
}

/** With separators and all digits. */
export function figure(value: number): string {
  return new Intl.NumberFormat("en", { maximumFractionDigits: 20 }).format(value);
}
