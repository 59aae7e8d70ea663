import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage } from "../../testing/page";
import { answer, problem, signedIn } from "../../testing/server";
import { cornerOf, type Edge, keyOf, type Lineage, lineOf, marksOf, minutesOf, NAMES, NODE, passed, type Place, rateText, sentenceOf, SIZE, summaryOf } from "./graph";
import { LineagePage } from "./lineage-page";

const LINEAGE = "/api/v1/organizations/{organization_id}/environments/{environment_id}/lineage";

const MINUTES = [
  { start: "2026-11-23T10:00:00Z", count: 1000, is_complete: true },
  { start: "2026-11-23T10:01:00Z", count: 7, is_complete: false },
];
const gateway: Edge = { from: "gateway", to: "points_topic", state: "flowing", unit: "points", counted_at: "points_topic", minutes: MINUTES, per_minute: 1000, watermark_missing: "Nothing waits here.", lag_seconds: 0 };
const druid: Edge = { from: "rollup_topics", to: "druid", state: "late", unit: "rows", minutes: [], rate_missing: "Rows cannot be counted now.", watermark: "2026-11-23T10:01:00Z", lag_seconds: 660, late_after_seconds: 300 };
const alerts: Edge = { from: "rollup_topics", to: "alert_job", state: "idle", unit: "rows", counted_at: "druid", minutes: MINUTES, per_minute: 1000, watermark_missing: "No alert rule is enabled in this environment: nothing is decided." };
const lineage: Lineage = {
  counted_at: "2026-11-23T10:02:10Z",
  window_from: "2026-11-23T10:00:00Z",
  window_to: "2026-11-23T10:02:00Z",
  nodes: [
    { id: "gateway", kind: "service", state: "flowing" },
    { id: "druid", kind: "store", state: "late" },
  ],
  edges: [gateway, druid, alerts],
};

test("an open minute is no drop, and what is not known is no zero", () => {
  expect(rateText(gateway, undefined)).toBe("1,000/min");
  expect(rateText(gateway, "2026-11-23T10:00:00.000Z")).toBe("1,000");
  expect(rateText(gateway, "2026-11-23T10:01:00.000Z")).toBe("7, open");
  expect(rateText(druid, undefined)).toBe("unknown");
  expect(rateText(druid, "2026-11-23T10:01:00.000Z")).toBe("unknown");
  expect(passed(druid, "2026-11-23T10:00:00.000Z")).toBe(true);
  expect(passed(druid, "2026-11-23T10:01:00.000Z")).toBe(false);
  expect(passed(alerts, "2026-11-23T10:00:00.000Z")).toBeUndefined();
  expect(marksOf(gateway, undefined)).toEqual(["1 k/min", "lag 0 s"]);
  expect(marksOf(druid, undefined)).toEqual(["rate ?", "late 11 min"]);
  expect(marksOf(alerts, undefined)).toEqual(["1 k/min", "idle"]);
  expect(sentenceOf(druid, undefined)).toBe("Rollup topics to Druid: late, rows unknown, lag 11 min");
  expect(minutesOf(lineage)).toEqual(["2026-11-23T10:00:00.000Z", "2026-11-23T10:01:00.000Z"]);
});

test("the worst is said first, and an idle sender is no fault", () => {
  expect(summaryOf(lineage)).toMatchObject({ tone: "danger", text: expect.stringContaining("Late: Druid.") as string });
  expect(summaryOf({ ...lineage, edges: [gateway] })).toBeUndefined();
  expect(summaryOf({ ...lineage, edges: [{ ...gateway, state: "idle" }] })).toMatchObject({ tone: undefined });
});

test("every node has a place of its own in the drawing, and every line ends at its node", () => {
  const places = Object.keys(NAMES) as Place[];
  const corners = places.map((place) => cornerOf(place));
  expect(new Set(corners.map(({ x, y }) => `${x} ${y}`)).size).toBe(places.length);
  for (const { x, y } of corners) {
    expect(x + NODE.width).toBeLessThanOrEqual(SIZE.width);
    expect(y + NODE.height).toBeLessThanOrEqual(SIZE.height);
  }
  for (const edge of [gateway, druid, alerts]) expect(lineOf(edge).path.endsWith(`H ${cornerOf(edge.to).x}`)).toBe(true);
  expect(lineOf({ from: "rollup_job", to: "usage_job" }).path.endsWith(`H ${cornerOf("usage_job").x}`)).toBe(true);
  expect(lineOf({ from: "points_topic", to: "lake_job" }).y, "two ways into one node stay apart").not.toBe(lineOf({ from: "rollup_topics", to: "lake_job" }).y);
});

test("the drawing and the table say the same, and an edge tells its minutes", async () => {
  signedIn(["catalog:read"]);
  answer("get", LINEAGE, lineage);
  const page = openPage(LineagePage, "lineage");
  await screen.findByText(/^Late: Druid\./);
  const drawn = screen.getByRole("button", { name: "Rollup topics to Druid: late, rows unknown, lag 11 min" });
  const row = screen.getByRole("row", { name: /Rollup topics → Druid/ });
  expect(within(row).getByText("late")).toBeTruthy();
  expect(within(row).getByText("11 min")).toBeTruthy();
  fireEvent.keyDown(drawn, { key: "Enter" });
  await screen.findByText("Rows cannot be counted now.");
  expect(page.address()).toContain("edge=rollup_topics-druid");
  expect(drawn.getAttribute("aria-pressed")).toBe("true");
  await userEvent.click(screen.getByRole("button", { name: "Gateway → Points topic" }));
  await screen.findByRole("heading", { name: "Gateway to Points topic" });
  expect(page.address()).toContain(`edge=${keyOf(gateway)}`);
});

test("the slider chooses a minute and keeps it in the address", async () => {
  signedIn(["catalog:read"]);
  answer("get", LINEAGE, lineage);
  const page = openPage(LineagePage, "lineage");
  const slider = await screen.findByRole("slider", { name: "Minute" });
  expect(slider.getAttribute("aria-valuetext")).toBe("Mean of the ten minutes");
  fireEvent.change(slider, { target: { value: "1" } });
  await screen.findAllByText("7, open");
  expect(decodeURIComponent(page.address())).toContain("minute=2026-11-23T10:01:00.000Z");
  expect(screen.getByText("not passed yet")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Show the mean" }));
  await screen.findAllByText("1,000/min");
});

test("an environment to which nothing was sent says what to do", async () => {
  signedIn(["catalog:read"]);
  answer("get", LINEAGE, { ...lineage, edges: [{ ...gateway, state: "idle", per_minute: 0 }] });
  openPage(LineagePage, "lineage");
  await screen.findByText(/Nothing was sent to this environment/);
  expect(screen.getByRole("link", { name: "Send data" })).toBeTruthy();
});

test("a failure shows its reason", async () => {
  signedIn(["catalog:read"]);
  answer("get", LINEAGE, () => problem(503, { code: "store_unavailable", detail: "The database is away." }));
  openPage(LineagePage, "lineage");
  await screen.findByText("The database is away.");
});

test("who may not see it is told who can grant it, and nothing is asked", async () => {
  signedIn([]);
  openPage(LineagePage, "lineage");
  await screen.findByText("catalog:read");
});
