import { expect, test } from "vitest";
import { importOf } from "./dashboard-import";
import { isGrafana, readPromQl, translated, type KnownMetric } from "./grafana";

const known: KnownMetric[] = [
  { name: "kafka.topic.messages", type: "counter", labels: ["topic", "client.id"] },
  { name: "http.server.duration", type: "histogram", labels: ["route"] },
  { name: "queue", type: "gauge", labels: [] },
];

test("one aggregation of one metric is taken, with names as senders have them", () => {
  expect(readPromQl('sum by (topic, client_id) (rate(kafka_topic_messages_total{topic=~"a|b", cluster="$cluster", client_id!="x"}[$__rate_interval]))', known)).toEqual({
    metric: "kafka.topic.messages",
    isKnown: true,
    agg: "RATE",
    by: ["metric.topic", "metric.client.id"],
    where: [
      { label: "metric.topic", is: "=", value: "a" },
      { label: "metric.topic", is: "=", value: "b" },
      { label: "metric.client.id", is: "!=", value: "x" },
    ],
    dropped: ["cluster"],
  });
  expect(readPromQl("histogram_quantile(0.99, sum(rate(http_server_duration_bucket[5m])) by (le, route))", known)).toMatchObject({ metric: "http.server.duration", agg: "P99", by: ["metric.route"] });
  expect(readPromQl("max(queue)", known)).toMatchObject({ metric: "queue", agg: "MAX" });
  expect(readPromQl("queue", known)).toMatchObject({ agg: "LAST", by: [] });
  expect(readPromQl("avg(avg_over_time(queue[5m]))", known)).toMatchObject({ agg: "AVG" });
  expect(readPromQl("unheard_of", known)).toMatchObject({ metric: "unheard_of", isKnown: false });
});

test("a heat map of buckets is one of the histogram", () => {
  expect(readPromQl("sum by (le) (increase(http_server_duration_bucket[1m]))", known, { isHeatMap: true })).toMatchObject({ metric: "http.server.duration", isKnown: true, by: [] });
  const { dashboard: taken } = translated({ schemaVersion: 39, title: "Web", panels: [{ type: "heatmap", title: "Durations", targets: [{ expr: "sum(rate(http_server_duration_bucket[1m])) by (le)" }] }] }, known);
  expect(taken?.panels).toMatchObject([{ type: "heat_map", metric: "http.server.duration", by: [] }]);
});

const brokers = (list: unknown[], expr: string) => translated({ schemaVersion: 39, title: "Brokers", templating: { list }, panels: [{ type: "timeseries", title: "In", targets: [{ expr }] }] }, known);

test("template variables of the values of a label stay variables, and filters name them", () => {
  const { dashboard: taken, left } = brokers(
    [
      { type: "query", name: "topic", multi: true, query: { query: "label_values(kafka_topic_messages_total{env=\"x\"}, topic)" }, current: { value: ["a", "b"] } },
      { type: "query", name: "client", query: "label_values(client_id)", current: { value: ["$__all"] } },
      { type: "interval", name: "interval" },
      { type: "query", name: "unused", query: "label_values(job)" },
      { type: "query", name: "computed", query: "query_result(up)" },
    ],
    'sum(rate(kafka_topic_messages_total{topic=~"${topic:regex}", client_id!="[[client]]", x="$computed", y=~"a$topic"}[5m]))',
  );
  expect(taken?.variables).toEqual([
    { name: "topic", label: "metric.topic", default: ["a", "b"], multi: true },
    { name: "client", label: "metric.client.id", default: [], multi: false },
  ]);
  expect(taken?.panels[0]?.where).toEqual([
    { label: "metric.topic", is: "=", value: "$topic" },
    { label: "metric.client.id", is: "!=", value: "$client" },
  ]);
  expect(left).toContain("“In”: filters on x, y.");
  expect(left.find((each) => each.startsWith("Variables:"))).toContain("interval, unused, computed");
});

test("no more variables are taken than a dashboard may have, and no filter names one that is not", () => {
  const { dashboard: taken } = brokers(
    Array.from({ length: 12 }, (_, index) => ({ type: "query", name: `v${index}`, query: "label_values(topic)" })),
    `queue{${Array.from({ length: 12 }, (_, index) => `l${index}="$v${index}"`).join(",")}}`,
  );
  expect(taken?.variables).toHaveLength(10);
  expect(taken?.panels[0]?.where).toHaveLength(10);
});

test("what has no form here is named", () => {
  expect(readPromQl("rate(a[5m]) / rate(b[5m])", known)).toContain("several metrics");
  expect(readPromQl("sum(a) / sum(b)", known)).toContain("several metrics");
  expect(readPromQl("topk(5, queue)", known)).toContain("topk");
  expect(readPromQl("sum without (x) (queue)", known)).toContain("without");
  expect(readPromQl("histogram_quantile(0.42, queue)", known)).toContain("0.42");
  expect(readPromQl("queue offset 1d", known)).toContain("offset");
  expect(readPromQl(`${"sum(".repeat(50)}queue${")".repeat(50)}`, known)).toContain("deeply");
});

const dashboard = {
  schemaVersion: 39,
  title: "Brokers",
  templating: { list: [{ name: "cluster" }] },
  panels: [
    { type: "timeseries", title: "In", gridPos: { w: 24 }, targets: [{ expr: "sum(rate(kafka_topic_messages_total[5m]))" }] },
    { type: "geomap", title: "<img src=x onerror=alert(1)>" },
    { type: "row", panels: [{ type: "text", title: "Note", options: { content: "Ask **us**" } }, { type: "stat", title: "Two", targets: [{ expr: "queue" }, { expr: "a / b" }, { rawSql: "SELECT 1" }] }] },
    "nonsense",
  ],
};

test("a dashboard of Grafana is taken as far as it goes, and what is left out is listed", () => {
  expect(isGrafana(dashboard)).toBe(true);
  const { dashboard: taken, left } = translated(dashboard, known);
  expect(taken?.panels.map((each) => [each.title, each.type, each.metric, each.width])).toEqual([
    ["In", "time_series", "kafka.topic.messages", 2],
    ["Note", "text", "", 1],
    ["Two 1", "stat", "queue", 1],
  ]);
  expect(left.join("\n")).toContain("geomap");
  expect(left.join("\n")).toContain("“Two”, query 3: it is no PromQL.");
  expect(left.join("\n")).toContain("Panel 5 is no object.");
  expect(left.join("\n")).toContain("cluster");
});

test("one of which nothing can be shown is refused with the reasons", () => {
  const { dashboard: none, faults } = translated({ schemaVersion: 1, panels: [{ type: "geomap", title: "Map" }] }, known);
  expect(none).toBeUndefined();
  expect(faults.join(" ")).toContain("geomap");
});

test("an import that is large, deep or no JSON is refused in words and takes no time", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const began = performance.now();
  expect(importOf(deep, known).faults[0]).toMatch(/nested too deeply|JSON object/);
  expect(importOf(JSON.stringify({ schemaVersion: 39, title: "x", panels: [{ type: "row", panels: [{ type: "row", panels: [{ type: "row" }] }] }] }), known).faults[0]).toContain("None of its panels");
  expect(importOf(`{"a":"${"x".repeat(10_000_000)}"}`, known).faults[0]).toContain("10.0 MB");
  expect(importOf("{", known).faults[0]).toContain("not JSON");
  expect(importOf('{"__proto__":{"polluted":1},"version":1,"title":"x","panels":[]}', known).dashboard?.title).toBe("x");
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(5_000);
});
