import { expect, test } from "vitest";
import { dashboardOf, definitionOf, moved } from "./dashboard";
import { importOf } from "./dashboard-import";

const FUNCTIONS = "SUM, RATE, AVG, MIN, MAX, COUNT, LAST, P50, P75, P90, P95, P99";
const TYPES = "time_series, stat, table, bar, heat_map, text";

test("a dashboard from outside tells all its faults at once, and runs nothing", () => {
  expect(dashboardOf(null).faults).toEqual(["A dashboard is a JSON object."]);
  expect(dashboardOf([]).faults).toEqual(["A dashboard is a JSON object."]);
  expect(dashboardOf({ version: 2, title: "", panels: [{ type: "iframe", metric: "", agg: "eval" }, 7, { type: "text", text: "x".repeat(4001), width: 3 }] }).faults).toEqual([
    "version must be 1.",
    "title must have 1 to 100 characters.",
    `Panel 1: type must be one of ${TYPES}.`,
    "Panel 1: metric must have 1 to 255 characters.",
    `Panel 1: agg must be one of ${FUNCTIONS}.`,
    "Panel 2 must be an object.",
    "Panel 3: text must have at most 4000 characters.",
    "Panel 3: width must be 1 or 2.",
  ]);
  expect(dashboardOf({ version: 1, title: "x", panels: new Array(61).fill({ type: "stat", metric: "m", agg: "SUM" }) }).faults).toEqual(["At most 60 panels; there are 61."]);
  expect(dashboardOf({ version: 1, title: "x", panels: [{ type: "stat", metric: "m", agg: "SUM", by: [7], where: [{ label: "a", op: "LIKE", value: "b" }] }] }).faults).toEqual([
    "Panel 1: by must be at most 20 labels.",
    "Panel 1: where must be at most 20 conditions of label, op (EQ or NE) and value.",
  ]);
});

test("what is exported is read as the same, and what means nothing is named", () => {
  const { dashboard } = dashboardOf({
    version: 1,
    title: "Kafka <b>",
    resource_type: "kafka",
    panels: [
      { title: "In", type: "bar", metric: "a.b", agg: "RATE", by: ["metric.topic"], where: [{ label: "metric.topic", op: "NE", value: "=x" }], width: 2 },
      { type: "text", text: "Two\nlines" },
    ],
  });
  expect(dashboard?.panels[0]?.where).toEqual([{ label: "metric.topic", is: "!=", value: "=x" }]);
  expect(importOf(JSON.stringify(dashboard && definitionOf(dashboard)), []).dashboard).toEqual(dashboard);
  expect(importOf('{"version":1,"title":"x","refresh":"5s","panels":[{"type":"text","text":"a","gridPos":{}}]}', []).ignored).toEqual(["refresh", "gridPos of panel 1"]);
});

const panel = (value: string) => ({ type: "stat", metric: "m", agg: "SUM", where: [{ label: "metric.a", op: "EQ", value }] });

test("variables are read and written as the same, and every fault of them is named", () => {
  const { dashboard, ignored } = dashboardOf({
    version: 1,
    title: "x",
    variables: [
      { name: "topic", label: "metric.topic", default: ["a", "b"], multi: true, hide: 2 },
      { name: "client", label: "metric.client" },
    ],
    panels: [panel("$topic"), panel("$5")],
  });
  expect(ignored).toEqual(["hide of variable 1"]);
  expect(dashboard?.variables).toEqual([
    { name: "topic", label: "metric.topic", default: ["a", "b"], multi: true },
    { name: "client", label: "metric.client", default: [], multi: false },
  ]);
  expect(importOf(JSON.stringify(dashboard && definitionOf(dashboard)), []).dashboard).toEqual(dashboard);
  expect(dashboardOf({ version: 1, title: "x", panels: [panel("$topic")] }).dashboard?.variables).toBeUndefined();
  expect(
    dashboardOf({
      version: 1,
      title: "x",
      variables: [7, { name: "1", label: "", default: ["a", "b"] }, { name: "a", label: "metric.a", multi: "yes" }, { name: "a", label: "metric.b", default: [""] }],
      panels: [panel("$b")],
    }).faults,
  ).toEqual([
    "Variable 1 must be an object.",
    "Variable 2: name must be a letter or _, then letters, digits or _; at most 64 characters.",
    "Variable 2: label must have 1 to 512 characters.",
    "Variable 2: default has several values; set multi, or leave one.",
    "Variable 3: multi must be true or false.",
    "Variable 4: name repeats a.",
    "Variable 4: default must be at most 20 values of 1 to 1024 characters.",
    "Panel 1: $b is no variable of the dashboard.",
  ]);
  expect(dashboardOf({ version: 1, title: "x", variables: new Array(11).fill({}), panels: [] }).faults).toEqual(["variables must be a list of at most 10."]);
});

test("files that are no dashboards are refused with what is wrong", () => {
  expect(importOf("{", []).faults[0]).toMatch(/^The file is not JSON: /);
  expect(importOf("x".repeat(10_000_000), []).faults).toEqual(["The file has 10.0 MB; a dashboard has at most 4.2 MB."]);
  expect(importOf(`{"version":1,"title":"${"x".repeat(300_000)}"}`, []).faults[0]).toContain("at most 262144 bytes");
  expect(importOf("[".repeat(100_000) + "]".repeat(100_000), []).dashboard).toBeUndefined();
  expect(importOf('{"schemaVersion":39,"panels":[]}', []).faults[0]).toContain("None of its panels");
});

test("a panel moves within the list and never out of it", () => {
  expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(moved(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
  expect(moved(["a", "b", "c"], 0, 3)).toEqual(["a", "b", "c"]);
  expect(moved(["a"], 0, -1)).toEqual(["a"]);
});
