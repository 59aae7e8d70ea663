import { expect, test } from "vitest";
import { limitsOf, textsOf } from "./limits";

test("limits are whole numbers, and empty ones are left to what is above", () => {
  expect(limitsOf({ a: "1,000 000", b: " " })).toEqual({ draft: { a: 1_000_000 }, faults: {} });
  expect(limitsOf({ a: "0", b: "1.5", c: "-1" }).faults).toEqual({ a: "A whole number above zero, or empty.", b: "A whole number above zero, or empty.", c: "A whole number above zero, or empty." });
  expect(textsOf(["a", "b"], { a: 5 })).toEqual({ a: "5", b: "" });
});
