import { expect, test } from "vitest";
import { draftOf, earlyObstacle, EMPTY_RULE, formOf, pairsOf, sentenceOf } from "./alert";

const filled = { ...EMPTY_RULE, name: "Queue", metric: "queue", threshold: "100" };

test("a form that is filled is sent as it reads", () => {
  const { draft, faults } = draftOf({ ...filled, labels: "team: streaming\n\nurl: http://x:1", groupBy: ["metric.topic"] });
  expect(faults).toEqual({});
  expect(draft?.condition).toMatchObject({ kind: "threshold", metric: "queue", aggregation: "avg", operator: "gt", threshold: 100, window_minutes: 5, group_by: ["metric.topic"] });
  expect(draft?.labels).toEqual({ team: "streaming", url: "http://x:1" });
});

test("all faults of a form are told at once, each at its field", () => {
  const { draft, faults } = draftOf({ ...EMPTY_RULE, kind: "quantile", quantile: "1", threshold: "many", window: "0", forMinutes: "1.5", labels: "no colon", runbook: "ftp://x" });
  expect(draft).toBeUndefined();
  expect(Object.keys(faults).sort()).toEqual(["forMinutes", "labels", "metric", "name", "quantile", "runbook", "threshold", "window"]);
});

test("a recovery beyond the threshold is refused, on its own side only", () => {
  expect(draftOf({ ...filled, recovery: "120" }).faults.recovery).toContain("other side");
  expect(draftOf({ ...filled, recovery: "80" }).draft?.condition.recovery_threshold).toBe(80);
  expect(draftOf({ ...filled, operator: "lt", recovery: "80" }).faults.recovery).toContain("other side");
});

test("what belongs to another kind is not sent", () => {
  const { draft } = draftOf({ ...filled, kind: "absence", limit: "7", denominator: "x" });
  expect(draft?.condition).not.toHaveProperty("limit");
  expect(draft?.condition).not.toHaveProperty("aggregation");
  expect(draft?.condition).not.toHaveProperty("denominator_metric");
});

test("a rule that is read and sent again is the same", () => {
  const { draft } = draftOf({ ...filled, kind: "change", percent: true, recovery: "50", annotations: "summary: {{value}}" });
  const rule = { ...draft, id: "rule-1", description: "", enabled: true, version: 1, effective_from: "", created_at: "", updated_at: "", state: "normal", groups: [], labels: {}, annotations: draft?.annotations ?? {} };
  expect(draftOf(formOf(rule as never)).draft).toEqual(draft);
});

test("a condition reads as a sentence", () => {
  expect(sentenceOf({ metric: "queue", aggregation: "max", operator: "gt", threshold: 5, window_minutes: 1, for_minutes: 3, group_by: ["metric.topic"] })).toBe("Maximum of queue in a minute above 5 for 3 min, by topic");
  expect(sentenceOf({ kind: "absence", metric: "up", operator: "gte", threshold: 5, per_series: true })).toBe("Minutes in a row without up at or above 5, each series");
});

test("open minutes may raise where an unfinished number does not say too little", () => {
  expect(earlyObstacle({ kind: "threshold", aggregation: "sum", operator: "gt" })).toBeUndefined();
  expect(earlyObstacle({ kind: "threshold", aggregation: "last", operator: "lt" })).toBeUndefined();
  expect(earlyObstacle({ kind: "threshold", aggregation: "rate", operator: "lte" })).toContain("too small");
  expect(earlyObstacle({ kind: "forecast", aggregation: "count", operator: "gt" })).toContain("too small");
  expect(earlyObstacle({ kind: "absence", aggregation: "avg", operator: "gt" })).toContain("complete");
  expect(draftOf({ ...filled, early: true }).draft?.condition.early).toBe(true);
  expect(draftOf({ ...filled, early: true, window: "16" }).faults.window).toContain("15");
  expect(draftOf({ ...filled, early: true, kind: "absence" }).draft?.condition).not.toHaveProperty("early");
});

test("pairs are lines, and a value may have colons", () => {
  expect(pairsOf("")).toEqual({});
  expect(pairsOf(": x")).toBeUndefined();
});
