import { expect, test } from "vitest";
import { EMPTY_RULE } from "./alert";
import { ruleQuestionOf } from "./rule-question";

test("a rule is drawn with the level that it compares with, over its own minutes", () => {
  const drawn = ruleQuestionOf({ ...EMPTY_RULE, metric: "queue", threshold: "100", recovery: "80", window: "5", matchers: [{ label: "metric.topic", operator: "eq", value: "a" }] }, []);
  expect(drawn).toEqual({
    question: { metric: "queue", agg: "AVG", by: [], where: [{ label: "metric.topic", is: "=", value: "a" }], granularity: "PT5M", compare: false, alone: undefined },
    agg: "AVG",
    levels: [
      { value: 100, label: "fires" },
      { value: 80, label: "recovers" },
    ],
    notes: [],
  });
  expect(ruleQuestionOf(EMPTY_RULE, [])).toBeUndefined();
});

test("where the picture is not what decides, it says so and draws no level", () => {
  const base = { ...EMPTY_RULE, metric: "queue", threshold: "1" };
  for (const kind of ["change", "anomaly", "ratio", "absence"] as const) {
    const drawn = ruleQuestionOf({ ...base, kind }, []);
    expect(drawn?.levels).toEqual([]);
    expect(drawn?.notes).toHaveLength(1);
  }
  expect(ruleQuestionOf({ ...base, kind: "forecast", limit: "7" }, [])?.levels).toEqual([{ value: 7, label: "limit" }]);
  expect(ruleQuestionOf({ ...base, kind: "quantile", quantile: "0.42" }, [])).toMatchObject({ agg: "P99", levels: [] });
  expect(ruleQuestionOf({ ...base, window: "7", matchers: [{ label: "x", operator: "regex", value: ".*" }] }, [])?.notes).toHaveLength(2);
  expect(ruleQuestionOf({ ...base, perSeries: true }, ["topic"])?.question.by).toEqual(["metric.topic"]);
});
