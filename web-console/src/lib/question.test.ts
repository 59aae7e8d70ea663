import { expect, test } from "vitest";
import { filterOf, promqlOf, questionOf, requestOf, searchOf, scrapeJobOf, terraformPanelOf } from "./question";

const TO = Date.parse("2026-03-01T13:00:00Z");
const bounds = { from: TO - 3_600_000, to: TO };

test("an address says the same question as it was made from", () => {
  const question = questionOf({ metric: "kafka.topic.messages", agg: "RATE", by: ["metric.topic"], where: [["metric.topic", "!=", "a b"]], gran: "PT5M", compare: 1 });
  expect(questionOf(searchOf(question))).toEqual(question);
});

test("nonsense in an address is left out", () => {
  expect(questionOf({ metric: 3, agg: "DROP", by: "x", where: [["a"], 7, ["a", "~", "b"]], gran: "PT7S", compare: "yes" })).toEqual({
    metric: undefined,
    agg: undefined,
    by: [],
    where: [],
    granularity: undefined,
    compare: false,
    alone: undefined,
  });
});

test("values of one label are alternatives, labels have to hold together, and the environment always", () => {
  expect(
    filterOf("production", [
      { label: "metric.a", is: "=", value: "1" },
      { label: "metric.a", is: "=", value: "2" },
      { label: "metric.b", is: "!=", value: "3" },
    ]),
  ).toEqual({
    op: "AND",
    filters: [
      { op: "EQ", field: "environment.id", value: "production" },
      { op: "OR", filters: [{ op: "EQ", field: "metric.a", value: "1" }, { op: "EQ", field: "metric.a", value: "2" }] },
      { op: "NOT", filter: { op: "EQ", field: "metric.b", value: "3" } },
    ],
  });
});

test("a rate is asked for as a sum, in buckets that the API answers", () => {
  const request = requestOf(questionOf({ metric: "m", gran: "PT1M", by: ["metric.a"] }), "RATE", "production", bounds);
  expect(request).toMatchObject({ aggregations: [{ metric: "m", agg: "SUM" }], granularity: "PT1M", group_by: ["metric.a"], intervals: ["2026-03-01T12:00:00Z/2026-03-01T13:00:00Z"], bucket_states: true });
});

test("PromQL is what that API has words for", () => {
  const question = questionOf({ metric: "kafka.topic.messages", by: ["metric.topic"], where: [["metric.topic", "=", 'a"b']] });
  expect(promqlOf(question, "RATE", "PT1M", "production", "counter")).toBe('sum by (topic) (rate(kafka_topic_messages{environment_id="production",topic="a\\"b"}[1m]))');
  expect(promqlOf(question, "P99", "PT5M", "production", "histogram")).toBe('histogram_quantile(0.99, sum by (topic) (rate(kafka_topic_messages{environment_id="production",topic="a\\"b"}[5m])))');
  expect(promqlOf(question, "RATE", "PT1M", "production", "gauge")).toBeUndefined();
});

test("a question is copied for Terraform and for Prometheus without becoming anything else there", () => {
  const question = questionOf({ metric: "queue", by: ["metric.topic"], where: [["metric.topic", "=", '${file("/etc/passwd")}"\n'], ["resource.kafka.id", "=", "lkc-1"]] });
  expect(terraformPanelOf(question, "SUM")).toBe('{ type = "time_series", metric = "queue", agg = "SUM", by = ["metric.topic"], where = [{ label = "metric.topic", op = "EQ", value = "$${file(\\"/etc/passwd\\")}\\"\\n" }, { label = "resource.kafka.id", op = "EQ", value = "lkc-1" }] },');
  const job = scrapeJobOf("https://tidemark.example:8443", question);
  expect(job).toContain('"resource.kafka.id": ["lkc-1"]');
  expect(job).toContain('targets: ["tidemark.example:8443"]');
  expect(scrapeJobOf("https://tidemark.example", questionOf({ metric: "queue" }))).toBeUndefined();
});
