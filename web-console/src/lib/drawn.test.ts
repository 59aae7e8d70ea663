import { expect, test } from "vitest";
import { drawnOf, lastComplete, type Series } from "./series";

const MINUTE = 60_000;
const series = (values: (number | null)[], open = 1): Series => ({ key: "a", labels: [], values, states: values.map((value, index) => (value === null ? null : index >= values.length - open ? "provisional" : "final")) });
const set = (values: (number | null)[], open = 1) => ({ times: values.map((_, index) => index * 60), series: [series(values, open)] });

test("a minute that is not over is never drawn as a drop", () => {
  const { set: drawn, left } = drawnOf(set([60, 60, 10]), "sum", 2 * MINUTE + 10_000, MINUTE);
  expect(drawn.series[0]?.values).toEqual([60, 60, null]);
  expect(left).toBe(1);
  expect(drawnOf(set([60, 60, 10]), "rate", 2 * MINUTE + 10_000, MINUTE).set.series[0]?.values).toEqual([60, 60, null]);
});

test("a minute that is over is drawn, complete or not, and so is an average", () => {
  expect(drawnOf(set([60, 60, 50]), "sum", 3 * MINUTE, MINUTE).set.series[0]?.values).toEqual([60, 60, 50]);
  expect(drawnOf(set([60, 60, 10]), "none", 2 * MINUTE, MINUTE).set.series[0]?.values).toEqual([60, 60, 10]);
});

test("the first value of a series falls from nothing and is drawn", () => {
  expect(drawnOf(set([null, null, 1]), "sum", 2 * MINUTE + 10_000, MINUTE)).toMatchObject({ left: 0, set: { series: [{ values: [null, null, 1] }] } });
});

test("a rate of a wide bucket is that of the time so far", () => {
  const wide = { times: [0, 3600], series: [series([100, 25])] };
  const { set: drawn, scaled } = drawnOf(wide, "rate", 3_600_000 + 900_000, 3_600_000);
  expect(drawn.series[0]?.values).toEqual([100, 100]);
  expect(scaled).toBe(1);
});

test("a slow clock hides provisional buckets and no final one", () => {
  expect(drawnOf(set([60, 60, 60, 10], 2), "sum", MINUTE + 10_000, MINUTE).set.series[0]?.values).toEqual([60, 60, 60, 10]);
  expect(drawnOf(set([60, 60, 60, 10], 2), "sum", 2 * MINUTE + 10_000, MINUTE).set.series[0]?.values).toEqual([60, 60, null, null]);
});

test("one figure is that of a bucket that is over", () => {
  expect(lastComplete(series([5, 6, 1]))).toBe(6);
  expect(lastComplete(series([null, 1], 2))).toBe(1);
});
