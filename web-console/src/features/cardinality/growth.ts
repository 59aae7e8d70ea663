import type { Schemas } from "../../api/queries";

/** Series now against the oldest whole day that has rows; undefined when there is none. */
export function growth(metric: Pick<Schemas["CardinalityMetric"], "series" | "days">): number | undefined {
  const first = metric.days[0];
  return first === undefined ? undefined : metric.series - first.series;
}

/** Rows and bytes of a day that would be less; negative where they would be more. Bytes only when all levels tell theirs. */
export function saved(effect: Pick<Schemas["CardinalityEffect"], "levels">): { rows: number; bytes: number | undefined } {
  let rows = 0;
  let bytes: number | undefined = 0;
  for (const level of effect.levels) {
    rows += level.rows_per_day - level.rows_per_day_after;
    bytes = bytes === undefined || level.bytes_per_day === undefined || level.bytes_per_day_after === undefined ? undefined : bytes + level.bytes_per_day - level.bytes_per_day_after;
  }
  return { rows, bytes };
}
