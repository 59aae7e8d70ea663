import { expect, test } from "vitest";
import { boundOf, largestOf, scaleOf, shadeOf, SHADES, spreadOf, ticksOf } from "./heat-map";
import { drawnOf } from "./series";

const START = Date.parse("2026-03-01T12:00:00Z");
const MINUTE = 60_000;
const TINY = 2 ** -128;
const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();
const bound = (place: number) => 2 ** (place / 8);
const bucket = (place: number, count: number) => [bound(place - 1), bound(place), count];

test("ranges of an answer become rows over time, and a minute without a row is a gap", () => {
  const { set, ranges, without } = spreadOf(
    [
      { timestamp: at(0), state: "final", distribution: [bucket(8, 3), bucket(10, 1)] },
      { timestamp: at(2), state: "provisional", distribution: [bucket(9, 5)] },
    ],
    START,
    START + 3 * MINUTE,
    MINUTE,
  );
  expect(ranges).toEqual([
    { lower: bound(7), upper: 2 },
    { lower: 2, upper: bound(9) },
    { lower: bound(9), upper: bound(10) },
  ]);
  expect(set.series.map((each) => each.values)).toEqual([
    [3, null, 0],
    [0, null, 5],
    [1, null, 0],
  ]);
  expect(set.series[0]?.states).toEqual(["final", null, "provisional"]);
  expect(without).toBe(0);
});

test("many ranges are joined by whole doublings, and no observation is lost or split", () => {
  const distribution = Array.from({ length: 400 }, (_, index) => bucket(index - 200, index + 1));
  const { set, ranges } = spreadOf([{ timestamp: at(0), distribution }], START, START + MINUTE, MINUTE);
  expect(ranges.length).toBeLessThanOrEqual(32);
  expect(set.series.reduce((sum, each) => sum + (each.values[0] ?? 0), 0)).toBe((400 * 401) / 2);
  ranges.slice(1).forEach((each, index) => expect(each.lower).toBe(ranges[index]?.upper));
  for (const { lower, upper } of ranges) expect(Math.log2(upper / lower) % 1).toBe(0);
});

test("negative values and zero have rows of their own, the greatest last", () => {
  const { ranges, set } = spreadOf([{ timestamp: at(0), distribution: [[-4, -bound(15), 2], [-TINY, TINY, 7], bucket(8, 1)] }], START, START + MINUTE, MINUTE);
  expect(ranges).toEqual([
    { lower: -4, upper: -bound(15) },
    { lower: 0, upper: 0 },
    { lower: bound(7), upper: 2 },
  ]);
  expect(set.series.map((each) => each.values[0])).toEqual([2, 7, 1]);
});

test("observations without ranges are counted apart", () => {
  expect(spreadOf([{ timestamp: at(0), distribution: null }, { timestamp: "x" }], START, START + MINUTE, MINUTE)).toMatchObject({ without: 1, ranges: [] });
});

test("a minute that is not over is not drawn as fewer observations", () => {
  const { set } = spreadOf([{ timestamp: at(0), state: "final", distribution: [bucket(8, 9)] }, { timestamp: at(1), state: "provisional", distribution: [bucket(8, 2)] }], START, START + 2 * MINUTE, MINUTE);
  expect(drawnOf(set, "sum", START + MINUTE + 10_000, MINUTE).set.series[0]?.values).toEqual([9, null]);
  expect(drawnOf(set, "sum", START + 2 * MINUTE, MINUTE).set.series[0]?.values).toEqual([9, 2]);
});

const series = (...values: (number | null)[]) => ({ key: String(values), labels: [], values, states: values.map(() => "final" as const) });

test("shades grow with the value from zero, and from the least where one is below zero", () => {
  const counts = scaleOf({ times: [0, 60], series: [series(0, 100), series(null, 4)] });
  expect(counts).toEqual({ low: 0, high: 100 });
  expect([0, 1, 4, 50, 100].map((value) => shadeOf(value, counts))).toEqual([0, 1, 2, 5, SHADES]);
  expect(shadeOf(boundOf(3, counts), counts)).toBe(3);
  const levels = scaleOf({ times: [0, 60], series: [series(-10, 60)] });
  expect([-10, 0, 60].map((value) => shadeOf(value, levels))).toEqual([1, 1, SHADES]);
  expect(shadeOf(0, { low: 0, high: 0 })).toBe(0);
});

test("the greatest series have room, and how many have not is said", () => {
  const found = largestOf({ times: [0], series: Array.from({ length: 50 }, (_, index) => series(index)) });
  expect(found.left).toBe(10);
  expect(found.set.series[0]?.values).toEqual([49]);
});

test("times stand at whole hours of the clock, as many as there is room for", () => {
  const times = Array.from({ length: 360 }, (_, index) => START / 1000 + index * 60);
  const minuteOfDay = (time: number) => (time / 60) % 1440;
  const ticks = ticksOf(times, minuteOfDay, 8);
  expect(ticks).toEqual([0, 60, 120, 180, 240, 300]);
  expect(ticksOf(times, minuteOfDay, 3)).toEqual([0, 180]);
  expect(ticksOf(times.slice(0, 1), minuteOfDay, 0).length).toBeLessThanOrEqual(1);
});
