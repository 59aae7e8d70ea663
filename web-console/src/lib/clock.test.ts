import { expect, test } from "vitest";
import { skewOf } from "./clock";

test("seconds are the way of an answer, an hour is a wrong clock", () => {
  const server = Date.parse("2026-03-01T12:00:00Z");
  expect(skewOf(server + 20_000, server)).toBe(0);
  expect(skewOf(server + 3_600_000, server)).toBe(3_600_000);
  expect(skewOf(server - 3_600_000, server)).toBe(-3_600_000);
});
