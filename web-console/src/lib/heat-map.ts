import { summaryOf, type BucketState, type Series, type SeriesSet } from "./series";

/** Values greater than lower and not greater than upper; of negative ones lower is part of it and upper is not. */
export interface ValueRange {
  lower: number;
  upper: number;
}

const MAX_RANGES = 32;
export const MAX_ROWS = 40;
/** Buckets of the API to a doubling of the value. */
const BUCKETS = 8;

interface Bucket {
  /** Counts bounds of buckets from 1, up for values above 0 and down for values below; 0 around 0. */
  place: number;
  sign: -1 | 0 | 1;
  count: number;
}

function bucketOf(value: unknown): Bucket | undefined {
  if (!Array.isArray(value)) return undefined;
  const [lower, upper, count] = value as unknown[];
  if (typeof lower !== "number" || typeof upper !== "number" || typeof count !== "number") return undefined;
  if (lower < 0 && upper > 0) return { place: 0, sign: 0, count };
  const place = Math.round(Math.log2(upper > 0 ? upper : -lower) * BUCKETS);
  return Number.isFinite(place) ? { place, sign: upper > 0 ? 1 : -1, count } : undefined;
}

/** How observations are spread over time: a series of counts for each range of values, the greatest values last. */
export interface Spread {
  set: SeriesSet;
  ranges: ValueRange[];
  /** Buckets of time whose points came without ranges. */
  without: number;
}

/**
 * Puts the distributions of an answer on the grid of buckets of time. Neighbouring ranges are joined, by whole doublings where there
 * are many, until they fit; none is split, so every count is exact.
 */
export function spreadOf(rows: readonly { timestamp?: unknown; state?: unknown; distribution?: unknown }[], from: number, to: number, width: number): Spread {
  const times: number[] = [];
  for (let time = Math.floor(from / width) * width; time < to; time += width) times.push(time / 1000);
  const first = (times[0] ?? 0) * 1000;
  const columns = new Map<number, { state: BucketState; buckets: Bucket[] }>();
  let without = 0;
  for (const row of rows) {
    const index = Math.round(((typeof row.timestamp === "string" ? Date.parse(row.timestamp) : NaN) - first) / width);
    if (!(index >= 0 && index < times.length)) continue;
    if (!Array.isArray(row.distribution)) {
      without++;
      continue;
    }
    columns.set(index, { state: row.state === "provisional" || row.state === "revised" ? row.state : "final", buckets: row.distribution.map(bucketOf).filter((each) => each !== undefined) });
  }
  const all = [...columns.values()].flatMap((each) => each.buckets);
  let join = 1;
  while (rangesOf(all, join).length > MAX_RANGES) join *= 2;
  const found = rangesOf(all, join);
  const rowOf = new Map(found.map((each, index) => [keyOf(each.sign, each.step), index]));
  const series: Series[] = found.map((each) => ({ key: keyOf(each.sign, each.step), labels: [], values: new Array<number | null>(times.length).fill(null), states: new Array<BucketState | null>(times.length).fill(null) }));
  for (const [index, column] of columns) {
    for (const each of series) {
      each.values[index] = 0;
      each.states[index] = column.state;
    }
    for (const bucket of column.buckets) {
      const row = series[rowOf.get(keyOf(bucket.sign, stepOf(bucket, join))) ?? -1];
      if (row) row.values[index] = (row.values[index] ?? 0) + bucket.count;
    }
  }
  return { set: { times, series }, ranges: found.map(({ lower, upper }) => ({ lower, upper })), without };
}

const keyOf = (sign: number, step: number) => `${sign} ${step}`;

function stepOf(bucket: Bucket, join: number): number {
  return bucket.sign === 0 ? 0 : Math.ceil(bucket.place / join);
}

/** All ranges between the least and the greatest one of each sign. */
function rangesOf(buckets: readonly Bucket[], join: number): (ValueRange & { sign: number; step: number })[] {
  const found: (ValueRange & { sign: number; step: number })[] = [];
  const bound = (step: number) => 2 ** ((step * join) / BUCKETS);
  for (const sign of [-1, 0, 1]) {
    const steps = buckets.filter((each) => each.sign === sign).map((each) => stepOf(each, join));
    if (steps.length === 0) continue;
    const least = steps.reduce((one, other) => Math.min(one, other));
    const greatest = steps.reduce((one, other) => Math.max(one, other));
    if (sign === 0) found.push({ lower: 0, upper: 0, sign, step: 0 });
    else if (sign > 0) for (let step = least; step <= greatest; step++) found.push({ lower: bound(step - 1), upper: bound(step), sign, step });
    else for (let step = greatest; step >= least; step--) found.push({ lower: -bound(step), upper: -bound(step - 1), sign, step });
  }
  return found;
}

/** Shades of a heat map, the faintest first. */
export const SHADES = 7;

export interface Scale {
  low: number;
  high: number;
}

/** From 0, or from the least value where one is below. */
export function scaleOf(set: SeriesSet): Scale {
  let low = 0;
  let high = 0;
  for (const { values } of set.series) {
    for (const value of values) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return { low, high };
}

/** The shade of a value, 1 to SHADES; 0 for none. From 0 shades follow the square root, so that few are seen beside many. */
export function shadeOf(value: number, { low, high }: Scale): number {
  if (high === low || (low === 0 && value <= 0)) return 0;
  const share = (value - low) / (high - low);
  return Math.min(SHADES, Math.max(1, Math.ceil((low === 0 ? Math.sqrt(share) : share) * SHADES)));
}

/** The greatest value of a shade. */
export function boundOf(shade: number, { low, high }: Scale): number {
  const share = shade / SHADES;
  return low + (high - low) * (low === 0 ? share * share : share);
}

/** The series that a heat map has room for: those with the greatest values, in the order of their sums. */
export function largestOf(set: SeriesSet): { set: SeriesSet; left: number } {
  const weight = (series: Series) => {
    const { avg, last } = summaryOf(series);
    return avg ?? last ?? -Infinity;
  };
  const sorted = set.series.map((series) => ({ series, weight: weight(series) })).sort((a, b) => b.weight - a.weight);
  return { set: { times: set.times, series: sorted.slice(0, MAX_ROWS).map((each) => each.series) }, left: Math.max(0, sorted.length - MAX_ROWS) };
}

const STEPS = [1, 5, 15, 30, 60, 180, 360, 720, 1440];

/** Which columns have their time below them: whole minutes, hours or days of the clock, as many as there is room for. */
export function ticksOf(times: readonly number[], minuteOfDay: (time: number) => number, most: number): number[] {
  const minutes = ((times[times.length - 1] ?? 0) - (times[0] ?? 0)) / 60;
  const step = STEPS.find((each) => minutes / each <= most) ?? 1440;
  const found = times.flatMap((time, index) => (minuteOfDay(time) % step === 0 ? [index] : []));
  const skip = Math.max(1, Math.ceil(found.length / Math.max(1, most)));
  return found.filter((_, index) => index % skip === 0);
}
