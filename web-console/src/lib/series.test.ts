import { expect, test } from "vitest";
import { csvOf, isAlwaysZero, seriesName, seriesOf, split, summaryOf } from "./series";

const START = Date.parse("2026-03-01T12:00:00Z");
const rows = [
  { timestamp: "2026-03-01T12:00:00Z", value: 4, state: "final", "metric.topic": "orders" },
  { timestamp: "2026-03-01T12:02:00Z", value: 6, state: "revised", "metric.topic": "orders" },
  { timestamp: "2026-03-01T12:03:00Z", value: 1, state: "provisional", "metric.topic": "orders" },
  { timestamp: "2026-03-01T12:00:00Z", value: 9, state: "final", "metric.topic": null },
];
const set = seriesOf(rows, ["metric.topic"], START, START + 300_000, 60_000);

test("a bucket without a row is a gap, not a zero", () => {
  expect(set.times).toHaveLength(5);
  expect(set.series[0]?.values).toEqual([4, null, 6, 1, null]);
});

test("a bucket that is not over is drawn apart and joined to the one before", () => {
  const parts = split(set.series[0]!);
  expect(parts.complete).toEqual([4, null, 6, null, null]);
  expect(parts.open).toEqual([null, null, 6, 1, null]);
});

test("an unfinished minute is not the minimum", () => {
  expect(summaryOf(set.series[0]!)).toEqual({ min: 4, max: 6, avg: 5, last: 1 });
});

test("series are named by their labels, those without a label too", () => {
  expect(set.series.map(seriesName)).toEqual(["orders", "no topic"]);
});

test("rows outside of the range and rows that are none are left out", () => {
  const odd = seriesOf([{ timestamp: "2020-01-01T00:00:00Z", value: 1 }, { value: 2 }, { timestamp: "x", value: "y" }], [], START, START + 60_000, 60_000);
  expect(odd.series).toEqual([]);
});

test("a cell that a spreadsheet takes for a formula is made text", () => {
  expect(csvOf([["=1+1", "@x", '-a"b', 1.5, null]])).toBe(`'=1+1,'@x,"'-a""b",1.5,\r\n`);
});

test("what is always 0 is told from what is sometimes more, and from nothing", () => {
  const of = (...values: (number | null)[]) => ({ key: "a", labels: [], values, states: values.map(() => null) });
  expect(isAlwaysZero([of(0, null, 0), of(0)])).toBe(true);
  expect(isAlwaysZero([of(0, 0), of(null, 0.001)])).toBe(false);
  expect(isAlwaysZero([of(null)])).toBe(false);
  expect(isAlwaysZero([])).toBe(false);
});
