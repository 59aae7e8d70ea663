import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/queries";
import { openPage } from "../../testing/page";
import { answer, problem, signedIn, versioned } from "../../testing/server";
import { BudgetPage } from "./budget-page";
import { InvoicePage } from "./invoice-page";
import { ReconciliationPage } from "./reconciliation-page";
import { UsagePage } from "./usage-page";
import { changesOf, isNothing, losses, percentLeft, questionOf } from "./what-if";
import { WhatIfPage } from "./what-if-page";

const invoice: Schemas["Invoice"] = {
  period: "2026-10",
  number: "A-1",
  from: "2026-10-01T00:00:00Z",
  to: "2026-11-01T00:00:00Z",
  state: "closed",
  closes_at: "2026-11-03T00:00:00Z",
  closed_at: "2026-11-03T00:00:00Z",
  currency: "EUR",
  rounding: { scale: 2, mode: "HALF_EVEN", applied_to: "line" },
  lines: [
    { id: "1", kind: "usage", description: "Points", meter: "points", unit: "point", quantity: "90071992547409931", included: "1000", billed_quantity: "90071992547408931", per: "1000000", parts: [{ quantity: "90071992547408931", price: "0.1", flat: "0", amount: "9007199254.7408931" }], exact_amount: "9007199254.7408931", amount: "9007199254.74" },
  ],
  subtotal: "9007199254.74",
  tax: { name: "VAT", rate_percent: "19", amount: "1711367858.4" },
  total: "10718567113.14",
  through_sequence: 77,
  hash: "ab",
};

test("an invoice shows money exactly, and each line how it came about", async () => {
  signedIn(["billing:read"]);
  answer("get", "/api/v1/organizations/{organization_id}/invoices/{period}", invoice);
  openPage(InvoicePage, "billing/invoices/$period", "billing/invoices/2026-10");
  await screen.findByText("10,718,567,113.14 EUR");
  expect(screen.getByText("1,711,367,858.40 EUR")).toBeTruthy();
  expect(screen.getByText(/90,071,992,547,409,931 points/)).toBeTruthy();
  expect(screen.getByText(/at 0.1 per 1,000,000/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Points" }).getAttribute("href")).toContain("meter=points");
});

test("a month of which there is no invoice is not a fault", async () => {
  signedIn(["billing:read"]);
  answer("get", "/api/v1/organizations/{organization_id}/invoices/{period}", () => problem(404, { code: "not_found" }));
  openPage(InvoicePage, "billing/invoices/$period", "billing/invoices/1999-01");
  await screen.findByText("There is no such invoice");
});

test("usage opens from days to hours to receipts", async () => {
  signedIn(["usage:read"]);
  const asked: URLSearchParams[] = [];
  answer("get", "/api/v1/organizations/{organization_id}/environments", { data: [], meta: {} });
  answer("get", "/api/v1/organizations/{organization_id}/usage", ({ address }) => {
    asked.push(address.searchParams);
    const by = address.searchParams.get("by") as Schemas["UsageGroup"];
    return { meter: "points", unit: "point", from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z", by, total: "30", data: [{ start: by === "day" ? "2026-10-05T00:00:00Z" : "2026-10-05T07:00:00Z", quantity: "30" }], meta: {} };
  });
  answer("get", "/api/v1/organizations/{organization_id}/usage/receipts", ({ address }) => {
    expect(address.searchParams.get("hour")).toBe("2026-10-05T07:00:00Z");
    return { data: [{ receipt_id: "ab".repeat(32), received_at: "2026-10-05T07:30:00Z", points: 30, billed_points: 0 }], meta: {} };
  });
  openPage(UsagePage, "billing", "billing?period=2026-10&tz=utc");
  await userEvent.click(await screen.findByRole("button", { name: "05 Oct 2026" }));
  await userEvent.click(await screen.findByRole("button", { name: /05 Oct 2026.*07:00/ }));
  const row = (await screen.findAllByRole("row"))[1] as HTMLElement;
  expect(within(row).getByText("resend")).toBeTruthy();
  expect(asked[0]?.get("from")).toBe("2026-10-01T00:00:00Z");
  expect(asked[1]?.get("from")).toBe("2026-10-05T00:00:00Z");
  expect(asked[1]?.get("to")).toBe("2026-10-06T00:00:00Z");
});

test("a difference of the reconciliation is named", async () => {
  signedIn(["billing:read"]);
  answer("get", "/api/v1/organizations/{organization_id}/reconciliation", {
    from: "2026-10-05T00:00:00Z",
    to: "2026-10-05T06:00:00Z",
    agrees: false,
    hours: [{ hour: "2026-10-05T00:00:00Z", environment_id: "production", state: "differs", acknowledged: "1000", metered: "998", set_aside: "0", without_value: "0", difference: "-2" }],
    differences: ["2026-10-05T00:00Z production: 2 points less were metered."],
  });
  openPage(ReconciliationPage, "billing/reconciliation");
  await screen.findByText(/2 points less were metered/);
  expect(screen.getByText("−2")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Signed statement" }).getAttribute("href")).toContain("/reconciliation/statement?");
});

test("missing usage records are entered, and every stage is shown", async () => {
  signedIn(["billing:read", "billing:write"]);
  answer("get", "/api/v1/organizations/{organization_id}/reconciliation", {
    from: "2026-10-05T00:00:00Z",
    to: "2026-10-05T06:00:00Z",
    agrees: false,
    hours: [{ hour: "2026-10-05T00:00:00Z", environment_id: "production", state: "differs", acknowledged: "1000", metered: "998", invoiced: "998", in_lake: "1000", set_aside: "0", without_value: "0", difference: "-2" }],
    differences: ["2 too few"],
    found: [{ hour: "2026-10-05T00:00:00Z", environment_id: "production", metric: "", stage: "metered", expected: "1000", found: "998", repair: "Enter them.", repairable: true }],
    measured_hours: [{ hour: "2026-10-05T00:00:00Z", environment_id: "production", state: "agrees", in_lake: "700", rolled_up: "700", in_rows: "4321", in_druid: "4321" }],
    checks: [{ hour: "2026-10-05T00:00:00Z", checked_at: "2026-10-05T01:20:00Z", agrees: false, with_stores: true }],
  });
  let asked: unknown;
  answer("post", "/api/v1/organizations/{organization_id}/reconciliation/repairs", ({ body }) => {
    asked = body;
    return { records: 12, entered: 2 };
  });
  openPage(ReconciliationPage, "billing/reconciliation", "billing/reconciliation?stores=yes");
  await userEvent.click(await screen.findByRole("button", { name: "Enter what is missing" }));
  await screen.findByText("2 entries were missing and are entered.");
  expect(asked).toEqual({ from: "2026-10-05T00:00:00.000Z", to: "2026-10-05T01:00:00.000Z" });
  expect(screen.getAllByText("4,321")).toHaveLength(2);
  expect(screen.getByText(/looked at 1 of these hours by itself/)).toBeTruthy();
});

test("who may not see invoices is told who can grant it", async () => {
  signedIn(["usage:read"]);
  openPage(InvoicePage, "billing/invoices/$period", "billing/invoices/2026-10");
  await screen.findByText("billing:read");
});

const budget: Schemas["SpendingBudget"] = { budget: { amount: "100", thresholds: [50, 100], integration_ids: ["int-elsewhere"] }, period: "2026-11", currency: "EUR", spent: "61.20", reached: [{ percent: 50, spent: "50.01", reached_at: "2026-11-09T10:00:00Z" }] };
const BUDGET = "/api/v1/organizations/{organization_id}/spending-budget";

test("a budget says how the month stands, and is changed without losing who is told elsewhere", async () => {
  signedIn(["billing:read", "billing:write"]);
  answer("get", BUDGET, () => versioned(budget as never, 4));
  answer("get", "/api/v1/organizations/{organization_id}/credits", { data: [{ id: "cr-1", kind: "prepaid", amount: "500", currency: "EUR", description: "=Paid <b>ahead</b>", valid_from: "2026-11-01", granted_at: "2026-11-01T00:00:00Z", used: "12.5", remaining: "487.5" }] });
  let sent: unknown;
  let tag: string | null = null;
  answer("put", BUDGET, ({ body, headers }) => {
    sent = body;
    tag = headers.get("If-Match");
    return versioned({ ...budget, budget: { amount: "250.50" } } as never, 5);
  });
  openPage(BudgetPage, "billing/budget");
  await screen.findByText("61 %");
  expect(screen.getByText("487.50 EUR")).toBeTruthy();
  const amount = screen.getByRole("textbox", { name: /Amount/ });
  await userEvent.clear(amount);
  await userEvent.type(amount, "1,5");
  await userEvent.click(screen.getByRole("button", { name: "Save budget" }));
  expect(screen.getByText(/A decimal without separators/)).toBeTruthy();
  expect(sent).toBeUndefined();
  await userEvent.clear(amount);
  await userEvent.type(amount, "250.50");
  await userEvent.click(screen.getByRole("button", { name: "Save budget" }));
  await screen.findByText("24 %");
  expect(screen.getByText("Saved.")).toBeTruthy();
  expect(sent).toEqual({ amount: "250.50", thresholds: [50, 100], integration_ids: ["int-elsewhere"] });
  expect(tag).toBe('"4"');
});

test("a budget that somebody changed meanwhile keeps what was typed, and is saved for the version that it began with", async () => {
  signedIn(["billing:read", "billing:write"]);
  let newest = { ...budget };
  let version = 4;
  answer("get", BUDGET, () => versioned(newest as never, version));
  answer("get", "/api/v1/organizations/{organization_id}/credits", { data: [] });
  let tag: string | null = null;
  answer("put", BUDGET, ({ headers }) => {
    tag = headers.get("If-Match");
    return problem(412, { code: "precondition_failed", detail: "The object has changed." });
  });
  const { client } = openPage(BudgetPage, "billing/budget");
  const amount = (await screen.findByRole("textbox", { name: /Amount/ })) as HTMLInputElement;
  await userEvent.type(amount, "0");
  newest = { ...budget, budget: { amount: "200" } };
  version = 5;
  await client.invalidateQueries({ queryKey: ["org-a", "spending-budget"] });
  await screen.findByText(/Somebody changed this meanwhile/);
  expect(amount.value).toBe("1000");
  await userEvent.click(screen.getByRole("button", { name: "Save budget" }));
  await screen.findByText("The object has changed.");
  expect(tag).toBe('"4"');
  await userEvent.click(screen.getByRole("button", { name: /Read the newest version/ }));
  expect(amount.value).toBe("200");
});

test("a month is priced as if a metric had not been sent, from its address", async () => {
  signedIn(["billing:read"]);
  let sent: unknown;
  answer("post", "/api/v1/organizations/{organization_id}/usage/what-if", ({ body }) => {
    sent = body;
    return { current: invoice, preview: { ...invoice, subtotal: "7" }, difference: "-9007199247.74", affected_rules: [{ environment_id: "production", alert_rule_id: "rule-1", name: "Queue", metric: "queue" }] };
  });
  openPage(WhatIfPage, "billing/what-if", `billing/what-if?keep=${encodeURIComponent('[["queue",0],["x",101],7]')}`);
  await screen.findByText("−9,007,199,247.74 EUR");
  expect(sent).toMatchObject({ metrics: [{ metric: "queue", keep_percent: 0 }] });
  expect(screen.getByRole("link", { name: "Queue" }).getAttribute("href")).toContain("/alerts/rules/rule-1");
});

test("a label is counted before it is priced, and what would miss it is named", async () => {
  signedIn(["billing:read", "catalog:read"]);
  const asked: unknown[] = [];
  answer("get", "/api/v1/organizations/{organization_id}/environments/{environment_id}/metrics", { data: [{ name: "http.requests", type: "counter", unit: "1", description: "" }], meta: {} } as never);
  answer("get", "/api/v1/organizations/{organization_id}/environments/{environment_id}/cardinality/labels", { metric: "http.requests", relative_error: 0.023, data: [{ label: "metric.pod", values: 40, is_split: false }] });
  answer("get", "/api/v1/organizations/{organization_id}/environments/{environment_id}/cardinality/what-if", { metric: "http.requests", label: "metric.pod", action: "drop", window_from: "2026-11-01T23:00:00Z", window_to: "2026-11-02T00:00:00Z", series: 200, series_after: 25, levels: [] });
  answer("post", "/api/v1/organizations/{organization_id}/usage/what-if", ({ body }) => {
    asked.push(body);
    return { current: invoice, preview: invoice, difference: "0.00", affected_rules: [], affected_dashboards: [{ dashboard_id: "db-1", title: "Traffic", metric: "http.requests" }], reads: [{ metric: "http.requests", queries: "12345" }] };
  });
  const page = openPage(WhatIfPage, "billing/what-if");
  await userEvent.click(await screen.findByLabelText("Metric with the label", { selector: "input" }));
  await userEvent.click(await screen.findByRole("option", { name: "http.requests" }));
  await userEvent.click(screen.getByLabelText("Label", { selector: "input" }));
  await userEvent.click(await screen.findByRole("option", { name: "metric.pod" }));
  await userEvent.click(screen.getByRole("button", { name: "Count and add label" }));
  const missed = await screen.findByRole("region", { name: "What would miss it" });
  expect(asked.at(-1)).toMatchObject({ series: [{ metric: "http.requests", keep_percent: 13 }] });
  expect(within(missed).getByRole("link", { name: "Traffic" }).getAttribute("href")).toContain("/dashboards/db-1");
  expect(within(missed).getByText(/12,345 of http.requests/)).toBeTruthy();
  expect(within(missed).getByText(/can be filtered or grouped by metric.pod/)).toBeTruthy();
  expect(screen.getByText("The plan of this month has no price for what would be less.")).toBeTruthy();
  expect(page.address()).toContain("labels=");
});

test("a what-if of an address asks for retention and series budgets, and leaves out what makes no sense", () => {
  const changes = changesOf({
    keep: [["a", 50], ["b", 101], "c"],
    labels: [["a", "metric.pod", "split", 20], ["a", "metric.pod", "lose", 20]],
    retention: [["rollup_1m", 90, 30], ["rollup_1m", 90, 0], ["nowhere", 9, 3]],
    budgets: [["production", 1000], ["", 1], ["test", -1]],
  });
  expect(questionOf("2026-11", changes)).toEqual({
    period: "2026-11",
    metrics: [{ metric: "a", keep_percent: 50 }],
    series: [{ metric: "a", keep_percent: 20 }],
    storage: [
      { level: "rollup_1m", keep_percent: 34 },
      { level: "rollup_1m_hc", keep_percent: 34 },
    ],
    series_budgets: [{ environment_id: "production", series: 1000 }],
  });
  expect(losses(changes)).toHaveLength(3);
  expect(isNothing(changesOf({}))).toBe(true);
  expect(percentLeft(0, 0)).toBe(100);
  expect(percentLeft(3, 4)).toBe(100);
});

test("stages of the reconciliation count stores only when asked", async () => {
  signedIn(["billing:read"]);
  const asked: (string | null)[] = [];
  answer("get", "/api/v1/organizations/{organization_id}/reconciliation", ({ address }) => {
    asked.push(address.searchParams.get("lake"));
    return { from: "2026-10-05T00:00:00Z", to: "2026-10-05T06:00:00Z", agrees: true, hours: [{ hour: "2026-10-05T00:00:00Z", environment_id: "production", state: "agrees" as const, acknowledged: "1000", metered: "1000", invoiced: "999", ...(address.searchParams.has("lake") ? { in_lake: "998" } : {}), set_aside: "0", without_value: "0", difference: "0" }], differences: [] };
  });
  openPage(ReconciliationPage, "billing/reconciliation");
  await screen.findByText("999");
  expect(screen.queryByText("998")).toBeNull();
  await userEvent.click(screen.getByRole("switch", { name: "Count rows of lake and Druid" }));
  await screen.findByText("998");
  expect(asked).toEqual([null, "true"]);
});
