import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage } from "../../testing/page";
import { answer, problem, signedIn } from "../../testing/server";
import { CardinalityPage } from "./cardinality-page";
import { growth, saved } from "./growth";

const CARDINALITY = "/api/v1/organizations/{organization_id}/environments/{environment_id}/cardinality";
const LABELS = `${CARDINALITY}/labels` as const;
const WHAT_IF = `${CARDINALITY}/what-if` as const;

const summary = {
  counted_at: "2026-11-02T00:00:00Z",
  series: 1200,
  metrics_counted: 2,
  method: "exact" as const,
  relative_error: 0,
  days_method: "estimated" as const,
  days_relative_error: 0.023,
  days: [{ day: "2026-10-26", series: 300 }],
  budgets: { active_series: 1000, new_series_per_minute: 50, labels_per_series: 64, label_keys_per_metric: 64, is_folding: true },
  metrics: [
    { metric: "http.requests\u202e", series: 1000, folded_series: 3, days: [{ day: "2026-10-26", series: 100 }], split_labels: ["pod"] },
    { metric: "cpu", series: 200, folded_series: 0, days: [], split_labels: [] },
  ],
};
const effect = {
  metric: "cpu",
  label: "metric.core",
  action: "drop" as const,
  window_from: "2026-11-01T23:00:00Z",
  window_to: "2026-11-02T00:00:00Z",
  series: 200,
  series_after: 25,
  levels: [
    { level: "rollup_1m", rows_per_day: 288_000, rows_per_day_after: 36_000, bytes_per_day: 2_880_000, bytes_per_day_after: 360_000 },
    { level: "rollup_1h", rows_per_day: 4800, rows_per_day_after: 600, bytes_per_day: 48_000, bytes_per_day_after: 6000 },
  ],
};

test("growth and savings are sums of what was counted", () => {
  expect(growth({ series: 5, days: [] })).toBeUndefined();
  expect(growth({ series: 5, days: [{ day: "2026-01-01", series: 9 }] })).toBe(-4);
  expect(saved(effect)).toEqual({ rows: 256_200, bytes: 2_562_000 });
  expect(saved({ levels: [{ level: "rollup_1m", rows_per_day: 1, rows_per_day_after: 3 }] })).toEqual({ rows: -2, bytes: undefined });
});

test("series by metric, their budget, and what dropping a label would save", async () => {
  signedIn(["catalog:read", "budgets:read"]);
  answer("get", CARDINALITY, summary);
  answer("get", LABELS, ({ address }) => {
    expect(address.searchParams.get("metric")).toBe("cpu");
    return { metric: "cpu", relative_error: 0.023, data: [{ label: "metric.core", values: 8, is_split: false }] };
  });
  answer("get", WHAT_IF, ({ address }) => {
    expect(address.searchParams.get("action")).toBe("drop");
    return effect;
  });
  const page = openPage(CardinalityPage, "cardinality");
  await screen.findByText(/A budget was exceeded/);
  expect(screen.getByText("http.requests\\u202e")).toBeTruthy();
  expect(screen.getByText("split: pod")).toBeTruthy();
  expect(screen.getByText("120 % used")).toBeTruthy();
  expect(screen.getByText("+900")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "cpu" }));
  expect(page.address()).toContain("metric=cpu");
  await userEvent.click(await screen.findByRole("button", { name: "Drop metric.core" }));
  const panel = await screen.findByRole("region", { name: "What if metric.core is dropped" });
  expect(within(panel).getByText(/instead of 200 series; saves/).textContent).toContain("25 instead of 200 series");
});

test("a metric that is too large says so, and an environment without rows says what to do", async () => {
  signedIn(["catalog:read", "budgets:read"]);
  answer("get", CARDINALITY, { ...summary, series: 0, metrics: [] });
  openPage(CardinalityPage, "cardinality");
  await screen.findByText("No series in the last hour");
});

test("a refused what-if shows its reason", async () => {
  signedIn(["catalog:read", "budgets:read"]);
  answer("get", CARDINALITY, summary);
  answer("get", LABELS, { metric: "cpu", relative_error: 0.023, data: [{ label: "metric.core", values: 8, is_split: false }] });
  answer("get", WHAT_IF, () => problem(400, { code: "query_too_expensive", detail: "Too many rows in one minute." }));
  openPage(CardinalityPage, "cardinality", "cardinality?metric=cpu");
  await userEvent.click(await screen.findByRole("button", { name: "Split metric.core" }));
  await screen.findByText("Too many rows in one minute.");
});

test("who may not see budgets is told who can grant it", async () => {
  signedIn(["catalog:read"]);
  openPage(CardinalityPage, "cardinality");
  await screen.findByText("budgets:read");
});
