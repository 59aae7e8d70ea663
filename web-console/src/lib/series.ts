/** What the Metrics API says of one bucket. */
export type BucketState = "final" | "provisional" | "revised";

/** One line of a chart. */
export interface Series {
  key: string;
  labels: readonly [string, string | null][];
  values: (number | null)[];
  states: (BucketState | null)[];
}

export interface SeriesSet {
  times: number[];
  series: Series[];
}

interface Row {
  timestamp?: unknown;
  value?: unknown;
  state?: unknown;
  [label: string]: unknown;
}

function stateOf(value: unknown): BucketState {
  return value === "provisional" || value === "revised" ? value : "final";
}

/**
 * Puts rows on the grid of buckets between two times, in seconds. A bucket without a row has no value: it is a gap and never
 * a zero.
 */
export function seriesOf(rows: readonly Row[], groupBy: readonly string[], from: number, to: number, width: number): SeriesSet {
  const times: number[] = [];
  for (let time = Math.floor(from / width) * width; time < to; time += width) times.push(time / 1000);
  const first = (times[0] ?? 0) * 1000;
  const byKey = new Map<string, Series>();
  for (const row of rows) {
    const at = typeof row.timestamp === "string" ? Date.parse(row.timestamp) : NaN;
    const index = Math.round((at - first) / width);
    if (!(index >= 0 && index < times.length)) continue;
    const labels = groupBy.map((name): [string, string | null] => {
      const value = row[name];
      return [name, value === null || value === undefined ? null : String(value)];
    });
    const key = JSON.stringify(labels.map(([, value]) => value));
    let series = byKey.get(key);
    if (!series) {
      series = { key, labels, values: new Array<number | null>(times.length).fill(null), states: new Array<BucketState | null>(times.length).fill(null) };
      byKey.set(key, series);
    }
    const value = typeof row.value === "number" ? row.value : Number(row.value);
    series.values[index] = row.value === null || Number.isNaN(value) ? null : value;
    series.states[index] = stateOf(row.state);
  }
  return { times, series: [...byKey.values()] };
}

export function seriesName(series: Series): string {
  if (series.labels.length === 0) return "all series";
  return series.labels.map(([name, value]) => (series.labels.length === 1 ? (value ?? `no ${shortLabel(name)}`) : `${shortLabel(name)}=${value ?? "–"}`)).join(" ");
}

/** A label without the room it is in. */
export function shortLabel(label: string): string {
  return label.replace(/^metric\./, "").replace(/^resource\.(.+)\.id$/, "$1");
}

export interface Summary {
  min: number | null;
  max: number | null;
  avg: number | null;
  last: number | null;
}

/** Over buckets that have a value. A provisional bucket counts for none but the last: it is not over. */
export function summaryOf(series: Series): Summary {
  let min: number | null = null;
  let max: number | null = null;
  let sum = 0;
  let count = 0;
  let last: number | null = null;
  series.values.forEach((value, index) => {
    if (value === null) return;
    last = value;
    if (series.states[index] === "provisional") return;
    min = min === null ? value : Math.min(min, value);
    max = max === null ? value : Math.max(max, value);
    sum += value;
    count++;
  });
  return { min, max, avg: count === 0 ? null : sum / count, last };
}

/** The newest value of a bucket that is over; the newest of all while none is. */
export function lastComplete(series: Series): number | null {
  const index = series.values.findLastIndex((value, at) => value !== null && series.states[at] !== "provisional");
  return index >= 0 ? (series.values[index] ?? null) : (series.values.findLast((value) => value !== null) ?? null);
}

/** Functions whose value of a bucket grows until the bucket is over. */
export type Growth = "sum" | "rate" | "none";

/**
 * What is drawn of buckets that are not over by the clock. Their sums so far would look like a drop, so they are left out behind a
 * value; a rate over wide buckets is taken over the time so far. A value that stands alone falls from nothing and stays.
 */
export function drawnOf(set: SeriesSet, growth: Growth, now: number, width: number): { set: SeriesSet; left: number; scaled: number } {
  let left = 0;
  let scaled = 0;
  if (growth === "none") return { set, left, scaled };
  const open = set.times.findIndex((time) => time * 1000 + width > now);
  if (open < 0) return { set, left, scaled };
  const elapsed = now - (set.times[open] ?? 0) * 1000;
  const scales = growth === "rate" && width > 60_000 && elapsed >= 60_000;
  const series = set.series.map((each) => {
    const value = each.values[open];
    if (each.states[open] !== "provisional" || value === null || value === undefined) return each;
    if (scales) {
      scaled++;
      return { ...each, values: each.values.with(open, (value * width) / elapsed) };
    }
    if ((each.values[open - 1] ?? null) === null) return each;
    left++;
    // Behind it are none, unless this clock is slow.
    return { ...each, values: each.values.map((kept, index) => (index >= open ? null : kept)), states: each.states.map((kept, index) => (index >= open ? null : kept)) };
  });
  return { set: { times: set.times, series }, left, scaled };
}

/**
 * The part of a line that is complete, and the part that is not. The second begins at the last complete value, so that the two
 * meet, and never joins values over a gap.
 */
export function split(series: Series): { complete: (number | null)[]; open: (number | null)[] } {
  const complete = series.values.map((value, index) => (series.states[index] === "provisional" ? null : value));
  const open: (number | null)[] = series.values.map((value, index) => {
    if (series.states[index] === "provisional") return value;
    return value !== null && series.states[index + 1] === "provisional" ? value : null;
  });
  return { complete, open };
}

/** Whether there are values and all of them are 0. */
export function isAlwaysZero(all: readonly Series[]): boolean {
  let found = false;
  for (const { values } of all) {
    for (const value of values) {
      if (value === null) continue;
      if (value !== 0) return false;
      found = true;
    }
  }
  return found;
}

/** Rows of a table of a chart as CSV; a cell that a spreadsheet would take for a formula is made text. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
