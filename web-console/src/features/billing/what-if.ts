import type { Schemas } from "../../api/queries";

/** What of a month would be less, as the address of the page holds it. */
export interface Changes {
  /** Percent of the points of a metric that are left. */
  keep: [metric: string, percent: number][];
  /** A label that is dropped or split, and the percent of the metric's series that is left then. */
  labels: [metric: string, label: string, action: Schemas["CardinalityAction"], percent: number][];
  /** Days that rows of a level are kept, and days that they would be kept. */
  retention: [level: Level, now: number, then: number][];
  /** Most series of an environment. */
  budgets: [environment: string, series: number][];
}

/** What storage is metered by; the name of its days in a retention policy; in words. */
export const LEVELS = [
  { level: "raw_points", days: "raw_days", text: "points as sent" },
  { level: "rollup_1m", days: "rollup_1m_days", text: "rows of a minute" },
  { level: "rollup_1h", days: "rollup_1h_days", text: "rows of an hour" },
  { level: "rollup_1d", days: "rollup_1d_days", text: "rows of a day" },
] as const;

export type Level = (typeof LEVELS)[number]["level"];

const MAX = 100;
const MAX_DAYS = 36_500;

const isName = (value: unknown): value is string => typeof value === "string" && value !== "";
const isWhole = (value: unknown, min: number, max: number): value is number => Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

function listOf<T>(value: unknown, fits: (each: unknown[]) => boolean): T[] {
  return Array.isArray(value) ? (value.filter((each) => Array.isArray(each) && fits(each)).slice(0, MAX) as T[]) : [];
}

/** The changes of an address; whatever makes no sense is left out. */
export function changesOf(search: Record<string, unknown>): Changes {
  return {
    keep: listOf(search.keep, ([metric, percent]) => isName(metric) && isWhole(percent, 0, 100)),
    labels: listOf(search.labels, ([metric, label, action, percent]) => isName(metric) && isName(label) && (action === "drop" || action === "split") && isWhole(percent, 0, 100)),
    retention: listOf(search.retention, ([level, now, then]) => LEVELS.some((each) => each.level === level) && isWhole(now, 1, MAX_DAYS) && isWhole(then, 1, MAX_DAYS)),
    budgets: listOf(search.budgets, ([environment, series]) => isName(environment) && isWhole(series, 0, Number.MAX_SAFE_INTEGER)),
  };
}

/** For the address: what is empty is not in it. */
export function addressOf(changes: Changes): Record<keyof Changes, unknown[] | undefined> {
  const some = (list: unknown[]) => (list.length > 0 ? list : undefined);
  return { keep: some(changes.keep), labels: some(changes.labels), retention: some(changes.retention), budgets: some(changes.budgets) };
}

export function isNothing(changes: Changes): boolean {
  return Object.values(changes).every((list) => list.length === 0);
}

/** Percent that is left, never less than there is. */
export function percentLeft(now: number, then: number): number {
  return now <= 0 || then >= now ? 100 : Math.max(0, Math.ceil((100 * then) / now));
}

/** What is asked of the API. */
export function questionOf(period: string, changes: Changes): Schemas["WhatIfDraft"] {
  return {
    period,
    metrics: changes.keep.map(([metric, keep_percent]) => ({ metric, keep_percent })),
    series: changes.labels.map(([metric, , , keep_percent]) => ({ metric, keep_percent })),
    storage: changes.retention.flatMap(([level, now, then]) => {
      const keep_percent = percentLeft(now, then);
      // Rows of a minute of split metrics are kept as long as the others.
      return (level === "rollup_1m" ? ["rollup_1m", "rollup_1m_hc"] : [level]).map((each) => ({ level: each, keep_percent }));
    }),
    series_budgets: changes.budgets.map(([environment_id, series]) => ({ environment_id, series })),
  };
}

/** What nobody counts: questions that would have another answer. */
export function losses(changes: Changes): string[] {
  return [
    ...changes.labels.map(([metric, label, action]) =>
      action === "drop" ? `Nothing of ${metric} can be filtered or grouped by ${label} any more.` : `${metric} can be filtered and grouped by ${label} in minutes only; hours and days lose it.`,
    ),
    ...changes.retention.filter(([, now, then]) => then < now).map(([level, , then]) => `Questions that need ${textOf(level)} older than ${then} days have no answer.`),
    ...changes.budgets.map(([environment, series]) => `Series of ${environment} beyond ${series} fold into overflow series: their points count in totals, without labels.`),
  ];
}

export function textOf(level: Level): string {
  return LEVELS.find((each) => each.level === level)?.text ?? level;
}
