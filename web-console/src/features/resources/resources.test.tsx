import { screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/queries";
import { openPage } from "../../testing/page";
import { answer, server, signedIn } from "../../testing/server";
import { ResourcePage } from "./resource-page";

const ENVIRONMENT = "/api/v1/organizations/{organization_id}/environments/{environment_id}";
const asked: URL[] = [];

function place(permissions: string[]) {
  asked.length = 0;
  signedIn(permissions);
  answer("get", `${ENVIRONMENT}/resources`, { data: [{ id: "res-1", type: "queue", name: "q-1", display_name: "Orders", state: "confirmed", first_seen: "2026-11-01T00:00:00Z" }], meta: {} } as never);
  answer("get", `${ENVIRONMENT}/metrics`, { data: [], meta: {} });
  server.use(http.get("*/v2/metrics/cloud/descriptors/metrics", () => HttpResponse.json({ data: [], meta: {} })));
}

test("a resource says how many series it has and what it cost this month, of itself alone", async () => {
  place(["catalog:read", "budgets:read", "usage:read", "billing:read"]);
  answer("get", `${ENVIRONMENT}/cardinality`, ({ address }): Schemas["Cardinality"] => {
    asked.push(address);
    return {
      counted_at: "2026-11-02T00:00:00Z",
      series: 1234,
      metrics_counted: 2,
      method: "exact",
      relative_error: 0,
      days_method: "exact",
      days_relative_error: 0,
      days: [],
      budgets: { active_series: 10, new_series_per_minute: 10, labels_per_series: 10, label_keys_per_metric: 10, is_folding: false },
      metrics: [{ metric: "queue.depth", series: 1200, folded_series: 0, days: [{ day: "2026-11-01", series: 1100 }], split_labels: [] }],
    };
  });
  answer("get", "/api/v1/organizations/{organization_id}/invoices/{period}/costs", ({ address }): Schemas["UsageCosts"] => {
    asked.push(address);
    return { period: "2026-11", state: "draft", currency: "EUR", amount: "0.000375", meters: [{ meter: "points", unit: "point", quantity: "2500", amount: "0.000375" }] };
  });
  answer("get", "/api/v1/organizations/{organization_id}/usage", ({ address }) => {
    asked.push(address);
    return { data: [{ environment_id: "production", quantity: "2500" }], meta: {} } as never;
  });
  openPage(ResourcePage, "resources/$resource", "resources/res-1");
  await screen.findByText("1,234");
  expect(screen.getByText("of 2 metrics")).toBeTruthy();
  expect((await screen.findByText("0.0004 EUR")).title).toBe("0.000375 EUR");
  expect(await screen.findByText("2,500")).toBeTruthy();
  expect(asked).toHaveLength(3);
  for (const { searchParams } of asked) {
    expect(searchParams.get("resource_type")).toBe("queue");
    expect(searchParams.get("resource_id")).toBe("q-1");
  }
});

test("who may see neither series nor money is asked for neither", async () => {
  place(["catalog:read"]);
  openPage(ResourcePage, "resources/$resource", "resources/res-1");
  await screen.findByRole("heading", { name: "Orders" });
  await screen.findByText("All metrics of type queue");
  expect(screen.queryByText(/Series of the last hour/)).toBeNull();
  expect(screen.queryByText(/cost this month/)).toBeNull();
});
