import type { Schemas } from "../api/queries";

/** A decimal as text, with separators and at least two digits behind the point; never through a float. */
export function decimalText(text: string, digits = 0): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!found) return text;
  const [, sign, whole = "0", fraction = ""] = found;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const shown = fraction.padEnd(digits, "0");
  return `${sign ? "−" : ""}${grouped}${shown ? `.${shown}` : ""}`;
}

/** A unit in words behind a quantity: many points, one point; symbols such as By stay. */
export function unitText(unit: string, quantity = "2"): string {
  return quantity === "1" || !/[a-z]{3}$/.test(unit) || unit.endsWith("s") ? unit : `${unit}s`;
}

/** A quantity with its unit. */
export function quantityText(quantity: string, unit: string | undefined): string {
  return `${decimalText(quantity)} ${unitText(unit ?? "", quantity)}`.trim();
}

/** An amount with its currency. */
export function moneyText(text: string, currency: string): string {
  return `${decimalText(text, 2)} ${currency}`;
}

/** An exact amount for people, rounded half up; what is less than a half of the last digit is not shown as nothing. */
export function roundedAmount(text: string, digits: number): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!found) return text;
  const [, sign = "", whole = "0", fraction = ""] = found;
  if (fraction.length <= digits) return text;
  const scaled = BigInt(whole + fraction.slice(0, digits)) + (Number(fraction[digits]) >= 5 ? 1n : 0n);
  if (scaled === 0n && /[1-9]/.test(whole + fraction)) return roundedAmount(text, digits + 1);
  const shown = scaled.toString().padStart(digits + 1, "0");
  return `${sign}${shown.slice(0, -digits)}.${shown.slice(-digits)}`;
}

/** How large one of two whole numbers is beside the other, for the length of a bar; 0 to 1. */
export function shareOf(part: string, whole: string): number {
  const all = Number(whole);
  return all > 0 ? Math.min(1, Math.max(0, Number(part) / all)) : 0;
}

/** A month in words. */
export function periodText(period: string): string {
  const found = /^(\d{4})-(\d\d)$/.exec(period);
  if (!found) return period;
  return new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }).format(Date.UTC(Number(found[1]), Number(found[2]) - 1, 1));
}

/** The first and the last instant of a month in UTC, the latter not part of it. */
export function boundsOfPeriod(period: string): { from: string; to: string } {
  const [year = 1970, month = 1] = period.split("-").map(Number);
  const text = (time: number) => new Date(time).toISOString().replace(".000Z", "Z");
  return { from: text(Date.UTC(year, month - 1, 1)), to: text(Date.UTC(year, month, 1)) };
}

/** The month before or after, as in 2026-11. */
export function periodBeside(period: string, months: number): string {
  const [year = 1970, month = 1] = period.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7);
}

/** A budget of a month as people fill it. */
export interface BudgetForm {
  amount: string;
  thresholds: string;
  pointsPerSecond: string;
  integrations: string[];
}

export type BudgetFaults = Partial<Record<keyof BudgetForm, string>>;

export function budgetFormOf(budget: Schemas["SpendingBudgetDraft"]): BudgetForm {
  return {
    amount: budget.amount ?? "",
    thresholds: (budget.thresholds ?? [50, 90, 100]).join(", "),
    pointsPerSecond: budget.points_per_second === undefined ? "" : String(budget.points_per_second),
    integrations: budget.integration_ids ?? [],
  };
}

/** What is sent, or what is wrong by field. The amount stays the text that was typed: it is no float. */
export function budgetOf(form: BudgetForm): { draft?: Schemas["SpendingBudgetDraft"]; faults: BudgetFaults } {
  const faults: BudgetFaults = {};
  const amount = form.amount.trim();
  if (amount !== "" && !/^\d{1,20}(\.\d{1,6})?$/.test(amount)) faults.amount = "A decimal without separators, as in 1200.50.";
  const parts = form.thresholds.split(",").map((each) => each.trim()).filter((each) => each !== "");
  const thresholds = parts.map(Number);
  if (parts.length > 10 || thresholds.some((each) => !Number.isInteger(each) || each < 1 || each > 1000)) faults.thresholds = "Up to ten whole figures from 1 to 1000, with commas between them.";
  const points = form.pointsPerSecond.trim();
  if (points !== "" && !/^[1-9]\d{0,14}$/.test(points)) faults.pointsPerSecond = "A whole number above zero.";
  if (points !== "" && amount === "") faults.amount = "Without an amount nothing is ever spent.";
  if (Object.keys(faults).length > 0) return { faults };
  return {
    draft: {
      ...(amount !== "" ? { amount } : {}),
      ...(thresholds.length > 0 ? { thresholds: [...new Set(thresholds)].sort((a, b) => a - b) } : {}),
      ...(points !== "" ? { points_per_second: Number(points) } : {}),
      integration_ids: form.integrations,
    },
    faults,
  };
}
