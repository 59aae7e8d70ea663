import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/queries";
import { openPage } from "../../testing/page";
import { answer, problem, server, signedIn, versioned } from "../../testing/server";
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
    "Panel 1: type must be one of time_series, stat, table, bar, heat_map, text.",
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

/** A metric of the environment, and what the Metrics API is asked about it. */
function measured(type: Schemas["MetricType"], rows: (minute: number) => object[]) {
  const asked: Record<string, unknown>[] = [];
  const discovered = { type, unit: "s", labels: ["topic"], labels_complete: true, resource_types: [], first_seen_at: "2026-11-01T00:00:00Z", last_seen_at: "2026-11-01T00:00:00Z" };
  answer("get", "/api/v1/organizations/{organization_id}/environments/{environment_id}/metrics", { data: [{ name: "latency", type, unit: "s", discovered }], meta: {} } as never);
  server.use(
    http.post("*/v2/metrics/cloud/query", async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      asked.push(body);
      const minute = Math.floor(Date.parse(String((body["intervals"] as string[])[0]).split("/")[1] ?? "") / 60_000) - 5;
      return HttpResponse.json({ data: rows(minute), meta: { completeness: { state: "final", complete_until: new Date((minute + 4) * 60_000).toISOString() } } });
    }),
    http.post("*/v2/metrics/cloud/attributes", () => HttpResponse.json({ data: [{ "metric.topic": "orders" }, { "metric.topic": "returns" }], meta: {} })),
  );
  return asked;
}

test("a panel says that received points may be missing", async () => {
  place();
  measured("gauge", (minute) => [{ timestamp: at(minute), value: 3, state: "final" }]);
  server.use(http.post("*/v2/metrics/cloud/query", () => HttpResponse.json({ data: [], meta: { completeness: { state: "final", complete_until: at(0), read_until: "2026-11-01T12:00:07Z", is_behind: true } } })));
  answer("get", DASHBOARD, () => versioned(dashboard(1, { panels: [{ type: "stat", title: "Now", metric: "latency", agg: "LAST" }] }), 1));
  openPage(DashboardPage, "dashboards/$dashboard", "dashboards/dash-1");
  await screen.findByText(/points received since .*:07 may be missing/);
});

const at = (minute: number) => new Date(minute * 60_000).toISOString();

test("a heat map of a histogram shows the ranges that were stored, and its cells are read by keyboard", async () => {
  place();
  const asked = measured("histogram", (minute) => [
    { timestamp: at(minute), value: 1.5, state: "final", distribution: [[1, 2, 4], [2, 4, 8]] },
    { timestamp: at(minute + 1), value: 1.5, state: "final", distribution: [[2, 4, 6]] },
  ]);
  answer("get", DASHBOARD, () => versioned(dashboard(1, { panels: [{ type: "heat_map", title: "Spread", metric: "latency", agg: "P99" }] }), 1));
  openPage(DashboardPage, "dashboards/$dashboard", "dashboards/dash-1");
  const map = await screen.findByRole("application", { name: /Spread: how the observations of latency are spread/ });
  expect(asked[0]).toMatchObject({ distributions: true, aggregations: [{ metric: "latency", agg: "P50" }] });
  expect(asked[0]).not.toHaveProperty("group_by");
  // Nothing lies between 1 and 4 s but two ranges; the hour has 60 minutes.
  expect(map.dataset["rows"]).toBe("9");
  map.focus();
  await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
  await screen.findByText(/3.67 s – 4 s at .*: no value/);
  await userEvent.keyboard("{Home}{ArrowUp}{Escape}");
  await userEvent.click(screen.getByText("As a table"));
  const table = await screen.findByRole("region", { name: /Spread.*as a table/ });
  expect(within(table).getByRole("row", { name: /3.67 s – 4 s/ }).textContent).toContain("8");
});

test("a heat map of anything else has a row a series", async () => {
  place();
  const asked = measured("gauge", (minute) => [
    { timestamp: at(minute), value: 1, state: "final", "metric.topic": "orders" },
    { timestamp: at(minute), value: 5, state: "final", "metric.topic": "<b>returns</b>" },
  ]);
  answer("get", DASHBOARD, () => versioned(dashboard(1, { panels: [{ type: "heat_map", title: "Load", metric: "latency", agg: "AVG", by: ["metric.topic"] }] }), 1));
  openPage(DashboardPage, "dashboards/$dashboard", "dashboards/dash-1");
  const map = await screen.findByRole("application", { name: /Load: Average of latency, 2 series/ });
  expect(map.dataset["rows"]).toBe("2");
  expect(asked[0]).toMatchObject({ group_by: ["metric.topic"] });
  expect(asked[0]).not.toHaveProperty("distributions");
  map.focus();
  await userEvent.keyboard("{Home}{ArrowLeft}");
  await screen.findByText(/<b>returns<.b> at /);
});

test("what is chosen of a variable is asked for and stands in the address", async () => {
  place();
  const asked = measured("gauge", (minute) => [{ timestamp: at(minute), value: 1, state: "final" }]);
  answer("get", DASHBOARD, () =>
    versioned(
      dashboard(1, {
        variables: [{ name: "topic", label: "metric.topic", default: ["orders"], multi: true }],
        panels: [{ type: "stat", title: "Load", metric: "latency", agg: "AVG", where: [{ label: "metric.topic", op: "EQ", value: "$topic" }] }],
      }),
      1,
    ),
  );
  const { address } = openPage(DashboardPage, "dashboards/$dashboard", "dashboards/dash-1");
  await screen.findByRole("region", { name: "Load" });
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  expect(JSON.stringify(asked[0])).toContain('"field":"metric.topic","value":"orders"');
  const user = userEvent.setup();
  await user.click(await screen.findByRole("combobox", { name: "topic" }));
  await user.click(await screen.findByRole("option", { name: "returns", hidden: true }));
  await waitFor(() => expect(decodeURIComponent(address())).toContain('vars={"topic":["orders","returns"]}'));
  await waitFor(() => expect(JSON.stringify(asked.at(-1))).toContain('"op":"OR"'));
  await user.keyboard("{Backspace}{Backspace}");
  await waitFor(() => expect(decodeURIComponent(address())).toContain('vars={"topic":[]}'));
  await waitFor(() => expect(JSON.stringify(asked.at(-1))).not.toContain("metric.topic"));
});

test("a variable is made in the editor, and a filter that names none is told before it is saved", async () => {
  place();
  measured("gauge", () => []);
  let sent: Schemas["DashboardDefinition"] | undefined;
  answer("get", DASHBOARD, () => versioned(dashboard(1, { panels: [{ type: "stat", title: "Load", metric: "latency", agg: "AVG", by: ["metric.topic"], where: [{ label: "metric.topic", op: "EQ", value: "$topic" }], width: 1 }] }), 1));
  answer("put", DASHBOARD, ({ body }) => {
    sent = body as Schemas["DashboardDefinition"];
    return versioned(dashboard(2, sent), 2);
  });
  const user = userEvent.setup();
  openPage(DashboardPage, "dashboards/$dashboard", "dashboards/dash-1?edit=1");
  await user.click(await screen.findByRole("button", { name: "Add a variable" }));
  await screen.findByText("Panel 1: $topic is no variable of the dashboard.");
  const name = screen.getByRole("textbox", { name: "Name" });
  await user.clear(name);
  await user.type(name, "topic");
  await user.click(screen.getByRole("checkbox", { name: "Several values" }));
  await waitFor(() => expect(screen.queryByText(/is no variable/)).toBeNull());
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toBeDefined());
  expect(sent?.variables).toEqual([{ name: "topic", label: "metric.topic", multi: true }]);
});
