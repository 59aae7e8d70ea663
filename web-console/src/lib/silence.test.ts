import { expect, test } from "vitest";
import { clockAt, emptySilence, instantAt, silenceFormOf, silenceOf } from "./silence";

const matcher = { label: "severity", operator: "eq" as const, value: "warning" };

test("clocks of a zone are read and shown over a change to summer time", () => {
  expect(instantAt("2026-03-28T09:00", "Europe/Berlin")?.toISOString()).toBe("2026-03-28T08:00:00.000Z");
  expect(instantAt("2026-03-30T09:00", "Europe/Berlin")?.toISOString()).toBe("2026-03-30T07:00:00.000Z");
  expect(clockAt("2026-03-30T07:00:00Z", "Europe/Berlin")).toBe("2026-03-30T09:00");
  expect(instantAt("2026-02-31T09:00", "UTC")).toBeUndefined();
  expect(instantAt("tomorrow", "UTC")).toBeUndefined();
});

test("a form that lacks something tells all of it at once", () => {
  const { draft, faults } = silenceOf({ ...emptySilence(0, "UTC"), starts: "now", ends: "" });
  expect(draft).toBeUndefined();
  expect(Object.keys(faults).sort()).toEqual(["comment", "ends", "matchers", "starts"]);
});

test("a maintenance window is no longer than its period", () => {
  const form = { ...emptySilence(0, "UTC"), comment: "Patches", matchers: [matcher], starts: "2026-11-01T22:00", ends: "2026-11-03T02:00" };
  expect(silenceOf({ ...form, repeats: "day" }).faults.ends).toContain("a day at most");
  expect(silenceOf({ ...form, repeats: "week" }).draft?.repeat).toEqual({ every: "week", time_zone: "UTC" });
  expect(silenceOf({ ...form, ends: "2026-11-01T22:00" }).faults.ends).toContain("after it starts");
});

test("what was set is changed in the zone that it repeats in", () => {
  const silence = { id: "sil-1", comment: "Patches", matchers: [matcher], starts_at: "2026-11-01T21:00:00Z", ends_at: "2026-11-01T23:00:00Z", repeat: { every: "week" as const, time_zone: "Europe/Berlin" }, state: "waiting" as const, created_by: "per-1", version: 1, created_at: "2026-11-01T00:00:00Z", updated_at: "2026-11-01T00:00:00Z" };
  const form = silenceFormOf(silence, "America/New_York");
  expect(form).toMatchObject({ starts: "2026-11-01T22:00", timeZone: "Europe/Berlin", repeats: "week" });
  expect(silenceOf(form).draft).toMatchObject({ starts_at: "2026-11-01T21:00:00Z", ends_at: "2026-11-01T23:00:00Z" });
});
