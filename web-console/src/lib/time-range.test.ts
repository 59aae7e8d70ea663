import { expect, test } from "vitest";
import { ago, boundsOf, formatTime, granularityFor, instantOf, intervalOf } from "./time-range";

const NOON = Date.parse("2026-03-01T12:00:30Z");

test("relative ends move with the clock, absolute ones do not", () => {
  expect(boundsOf({ from: "now-1h", to: "now" }, NOON)).toEqual({ from: NOON - 3_600_000, to: NOON });
  expect(instantOf("2026-02-01T00:00:00Z", NOON)).toBe(Date.parse("2026-02-01T00:00:00Z"));
});

test("an address that makes no sense shows the last hour", () => {
  for (const range of [
    { from: "yesterday", to: "now" },
    { from: "now", to: "now-1h" },
    { from: "now-1h", to: "<script>" },
    { from: "", to: "" },
  ]) {
    expect(boundsOf(range, NOON)).toEqual({ from: NOON - 3_600_000, to: NOON });
  }
});

test("buckets are those that the API answers for the length", () => {
  expect(granularityFor(15 * 60_000)).toBe("PT1M");
  expect(granularityFor(6 * 3_600_000)).toBe("PT1M");
  expect(granularityFor(24 * 3_600_000)).toBe("PT5M");
  expect(granularityFor(7 * 86_400_000)).toBe("PT30M");
  expect(granularityFor(90 * 86_400_000)).toBe("PT6H");
});

test("an interval has whole buckets and the open one too", () => {
  expect(intervalOf({ from: NOON - 60_000, to: NOON }, "PT1M")).toBe("2026-03-01T11:59:00Z/2026-03-01T12:01:00Z");
});

test("times are shown in the zone that was chosen, and ages in words", () => {
  expect(formatTime(NOON, "utc")).toBe("01 Mar 2026, 12:00:30 UTC");
  expect(formatTime("nonsense", "utc")).toBe("unknown");
  expect(ago(NOON - 90_000, NOON)).toBe("1 min ago");
  expect(ago(NOON + 3_600_000, NOON)).toBe("in the future");
});
