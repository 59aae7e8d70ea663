import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/queries";
import { openPage } from "../../testing/page";
import { answer, problem, signedIn, versioned } from "../../testing/server";
import { DashboardPage } from "./dashboard-page";
import { DashboardsPage } from "./dashboards-page";

const DASHBOARDS = "/api/v1/organizations/{organization_id}/dashboards";
const DASHBOARD = "/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}";
const author = { kind: "person", id: "per-1" };

function dashboard(version: number, definition: Partial<Schemas["DashboardDefinition"]> = {}): Schemas["Dashboard"] {
  return {
    id: "dash-1",
    version,
    definition: {
      version: 1,
      title: "Queues",
      panels: [
        { type: "text", title: "First", text: "One" },
        { type: "text", title: "Second", text: "Two" },
      ],
      ...definition,
    },
    created_by: author,
    created_at: "2026-11-01T00:00:00Z",
    updated_by: author,
    updated_at: "2026-11-01T00:00:00Z",
  };
}

function place(permissions = ["dashboards:read", "dashboards:write", "metrics:read"]) {
  signedIn(permissions);
  answer("get", "/api/v1/organizations/{organization_id}/environments/{environment_id}/metrics", { data: [], meta: {} });
  answer("get", "/api/v1/organizations/{organization_id}/environments/{environment_id}/resources", { data: [], meta: {} });
  answer("get", DASHBOARDS, { data: [], meta: {} });
}

test("an edit moves, renames and removes by keyboard, and what somebody else saved meanwhile is not overwritten unseen", async () => {
  place();
  let version = 1;
  const sent: { tag: string | null; body: Schemas["DashboardDefinition"] }[] = [];
  answer("get", DASHBOARD, () => versioned(dashboard(version), version));
  answer("put", DASHBOARD, ({ body, headers }) => {
    sent.push({ tag: headers.get("If-Match"), body: body as Schemas["DashboardDefinition"] });
    if (headers.get("If-Match") !== `"${version}"`) return problem(412, { code: "precondition_failed" });
    version++;
    return versioned(dashboard(version, body as Schemas["DashboardDefinition"]), version);
  });
  const user = userEvent.setup();
  openPage(DashboardPage, "dashboards/$dashboard", "dashboards/dash-1?edit=1");

  const title = await screen.findByRole("textbox", { name: "Title" });
  await user.clear(title);
  await user.type(title, "Lines");
  screen.getByRole("button", { name: "Move panel 1 down" }).focus();
  await user.keyboard("{Enter}");
  expect(screen.getByText("First is now panel 2 of 2.")).toBeTruthy();
  // Somebody else saves.
  version = 5;
  await user.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText(/Somebody saved another version meanwhile/);
  expect((screen.getByRole("textbox", { name: "Title" }) as HTMLInputElement).value).toBe("Lines");
  await user.click(screen.getByRole("button", { name: "Save over it" }));
  await screen.findByRole("heading", { name: "Lines" });
  expect(sent.map((each) => each.tag)).toEqual(['"1"', '"5"']);
  expect(sent[1]?.body).toEqual({
    version: 1,
    title: "Lines",
    panels: [
      { type: "text", title: "Second", text: "Two", width: 1 },
      { type: "text", title: "First", text: "One", width: 1 },
    ],
  });
});

test("a file that is no dashboard is refused with all that is wrong, and nothing is sent", async () => {
  place();
  let made = 0;
  answer("post", DASHBOARDS, () => {
    made++;
    return versioned(dashboard(1), 1);
  });
  openPage(DashboardsPage, "dashboards");
  const input = await screen.findByLabelText("Dashboard file");
  await userEvent.upload(input, new File(['{"version":1,"title":"","panels":[{"type":"iframe"}]}'], "x.json", { type: "application/json" }));
  const dialog = await screen.findByRole("dialog", { name: "The file was not imported" });
  expect(within(dialog).getAllByRole("listitem").map((each) => each.textContent)).toEqual([
    "title must have 1 to 100 characters.",
    "Panel 1: type must be one of time_series, stat, table, bar, text.",
    "Panel 1: metric must have 1 to 255 characters.",
    expect.stringContaining("Panel 1: agg must be one of"),
  ]);
  expect(made).toBe(0);
});

test("a dashboard that is imported is sent as it is in the file, and what means nothing is named", async () => {
  place();
  let sent: unknown;
  answer("post", DASHBOARDS, ({ body }) => {
    sent = body;
    return versioned(dashboard(1), 1);
  });
  const { address } = openPage(DashboardsPage, "dashboards");
  const input = await screen.findByLabelText("Dashboard file");
  const file = { version: 1, title: "=Sum", refresh: "5s", panels: [{ title: "<b>", type: "stat", metric: "a", agg: "LAST", by: [], width: 1 }] };
  await userEvent.upload(input, new File([JSON.stringify(file)], "x.json", { type: "application/json" }));
  const dialog = await screen.findByRole("dialog", { name: "Import =Sum" });
  expect(within(dialog).getByText(/Left out.*refresh/)).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("button", { name: "Import dashboard" }));
  await waitFor(() => expect(address()).toContain("/dashboards/dash-1"));
  expect(sent).toEqual({ version: 1, title: "=Sum", panels: [{ title: "<b>", type: "stat", metric: "a", agg: "LAST", by: [], width: 1 }] });
});

test("whoever may only look sees no button that changes something", async () => {
  place(["dashboards:read", "metrics:read"]);
  answer("get", DASHBOARD, () => versioned(dashboard(1), 1));
  openPage(DashboardPage, "dashboards/$dashboard", "dashboards/dash-1?edit=1");
  await screen.findByRole("heading", { name: "Queues" });
  expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  await screen.findByText("One");
});

test("who may not read dashboards is told who can grant it", async () => {
  place([]);
  openPage(DashboardPage, "dashboards/$dashboard", "dashboards/dash-1");
  await screen.findByText("dashboards:read");
});
