import { expect, test } from "vitest";
import { roundedAmount, budgetFormOf, budgetOf, quantityText, unitText, boundsOfPeriod, decimalText, moneyText, periodBeside, periodText, shareOf } from "./money";

test("money is shown exactly as it is, however large", () => {
  expect(moneyText("1234567.5", "EUR")).toBe("1,234,567.50 EUR");
  expect(moneyText("-0.00000123", "EUR")).toBe("−0.00000123 EUR");
  expect(decimalText("90071992547409931")).toBe("90,071,992,547,409,931");
  expect(decimalText("999")).toBe("999");
  expect(decimalText("free")).toBe("free");
});

test("months are those of UTC", () => {
  expect(boundsOfPeriod("2026-12")).toEqual({ from: "2026-12-01T00:00:00Z", to: "2027-01-01T00:00:00Z" });
  expect(periodBeside("2026-01", -1)).toBe("2025-12");
  expect(periodText("2026-11")).toBe("November 2026");
  expect(periodText("<b>")).toBe("<b>");
});

test("a share of nothing is nothing", () => {
  expect(shareOf("5", "0")).toBe(0);
  expect(shareOf("5", "10")).toBe(0.5);
});

test("units in words have a plural, symbols have none", () => {
  expect(quantityText("5990", "point")).toBe("5,990 points");
  expect(quantityText("1", "point")).toBe("1 point");
  expect(quantityText("0", "byte")).toBe("0 bytes");
  expect(quantityText("12", "By")).toBe("12 By");
  expect(quantityText("12", undefined)).toBe("12");
  expect(unitText("series")).toBe("series");
  expect(unitText("series-hour")).toBe("series-hours");
});

test("a budget is sent as it was typed, and its faults by field", () => {
  const form = { amount: "1200.50", thresholds: "100, 50, 50", pointsPerSecond: "1000", integrations: ["int-1"] };
  expect(budgetOf(form).draft).toEqual({ amount: "1200.50", thresholds: [50, 100], points_per_second: 1000, integration_ids: ["int-1"] });
  expect(Object.keys(budgetOf({ ...form, amount: "1,200", thresholds: "half", pointsPerSecond: "-1" }).faults).sort()).toEqual(["amount", "pointsPerSecond", "thresholds"]);
  expect(budgetOf({ ...form, amount: "" }).faults.amount).toContain("Without an amount");
  expect(budgetFormOf({})).toEqual({ amount: "", thresholds: "50, 90, 100", pointsPerSecond: "", integrations: [] });
});

test("an exact amount is rounded half up without a float, and a tiny one is not nothing", () => {
  expect(roundedAmount("12.345", 2)).toBe("12.35");
  expect(roundedAmount("12.3449", 2)).toBe("12.34");
  expect(roundedAmount("9.999", 2)).toBe("10.00");
  expect(roundedAmount("90071992547409931.005", 2)).toBe("90071992547409931.01");
  expect(roundedAmount("0.00042", 2)).toBe("0.0004");
  expect(roundedAmount("-0.126", 2)).toBe("-0.13");
  expect(roundedAmount("7", 2)).toBe("7");
  expect(roundedAmount("0", 2)).toBe("0");
});
