import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dashboardOf } from "../lib/dashboard";

const folder = join(process.cwd(), "src/dashboards");

test.each(readdirSync(folder).filter((name) => name.endsWith(".json")))("%s has the form that people export and import", (name) => {
  const read = dashboardOf(JSON.parse(readFileSync(join(folder, name), "utf8")));
  expect(read.faults).toEqual([]);
  expect(read.dashboard?.panels.length).toBeGreaterThan(3);
});

test("a dashboard from outside tells all its faults at once, and runs nothing", () => {
  expect(dashboardOf(null).faults).toEqual(["A dashboard is a JSON object."]);
  expect(dashboardOf({ version: 2, title: "", panels: [{ type: "iframe", metric: "", agg: "eval" }, 7] }).faults).toEqual([
    "version must be 1.",
    "title must have 1 to 100 characters.",
    "Panel 1: type must be time_series or stat.",
    "Panel 1: metric must have 1 to 255 characters.",
    "Panel 1: agg must be one of SUM, RATE, AVG, MIN, MAX, COUNT, LAST, P50, P75, P90, P95, P99.",
    "Panel 2: type must be time_series or stat.",
    "Panel 2: metric must have 1 to 255 characters.",
    "Panel 2: agg must be one of SUM, RATE, AVG, MIN, MAX, COUNT, LAST, P50, P75, P90, P95, P99.",
  ]);
  expect(dashboardOf({ version: 1, title: "x", panels: new Array(61).fill({ type: "stat", metric: "m", agg: "SUM" }) }).faults).toEqual(["At most 60 panels; there are 61."]);
});
