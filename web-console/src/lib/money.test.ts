import { expect, test } from "vitest";
import { boundsOfPeriod, decimalText, moneyText, periodBeside, periodText, shareOf } from "./money";

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
