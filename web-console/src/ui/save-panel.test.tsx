import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Schemas } from "../api/queries";
import { openPage } from "../testing/page";
import { answer, signedIn, versioned } from "../testing/server";
import { SavePanel } from "./save-panel";

test("a dashboard that gets a panel is opened with it, also when it was read before", async () => {
  const author = { kind: "person", id: "per-1" };
  const dashboard = { id: "dash-1", created_by: author, created_at: "2026-11-01T00:00:00Z", updated_by: author, updated_at: "2026-11-01T00:00:00Z" };
  const before: Schemas["Dashboard"] = { ...dashboard, version: 1, definition: { version: 1, title: "Queues", panels: [] } };
  signedIn(["dashboards:read", "dashboards:write"]);
  answer("get", "/api/v1/organizations/{organization_id}/dashboards", { data: [{ ...dashboard, title: "Queues", panel_count: 0, version: 1 } as never], meta: {} });
  answer("get", "/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}", () => versioned(before, 1));
  answer("put", "/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}", ({ body }) => versioned({ ...before, version: 2, definition: body as Schemas["DashboardDefinition"] }, 2));
  const { client } = openPage(() => <SavePanel panel={{ title: "Lag", type: "time_series", metric: "queue", agg: "SUM", by: [], where: [], width: 1, text: "" }} close={() => {}} />, "explorer");
  client.setQueryData(["org-a", "dashboard", "dash-1"], { data: before, etag: '"1"' });
  await userEvent.click(await screen.findByLabelText("Dashboard", { selector: "input" }));
  await userEvent.click(await screen.findByRole("option", { name: "Queues" }));
  await userEvent.click(screen.getByRole("button", { name: "Save panel" }));
  await screen.findByText("The panel is on the dashboard.");
  expect(client.getQueryData(["org-a", "dashboard", "dash-1"])).toMatchObject({ etag: '"2"', data: { definition: { panels: [{ title: "Lag" }] } } });
});
