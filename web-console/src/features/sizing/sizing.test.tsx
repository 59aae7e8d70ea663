import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage } from "../../testing/page";
import { answer, problem } from "../../testing/server";
import { changesOf, commandOf, faultsByField, faultsOf, textsOf, type Load } from "./load";
import { bindsText, costsOf, gainText, shareText, type Part, type Plan } from "./plan";
import { SizingPage } from "./sizing-page";

const load: Load = {
  points: 200_000,
  series: 1_000_000,
  labels: 5,
  late: 0.05,
  split: 0.2,
  requests: 100,
  replication: 3,
  groups: 4,
  segment_replicas: 2,
  task_replicas: 2,
  kafka_days: 7,
  minutes_days: 30,
  hot_hours: 6,
  lake_days: 400,
  busy: 0.6,
  brokers: "m5.2xlarge",
  broker_volume: "gp3",
  workers: "m5.4xlarge",
  historicals: "r5.2xlarge",
};

const kafka: Part = {
  name: "Kafka brokers",
  machine: "m5.2xlarge",
  nodes: 3,
  minimum_nodes: 3,
  busy_cores: 0,
  disk_gigabytes: 42_905,
  resources: [
    { resource: "storage", used: 56.7, planned: 600, unit: "megabytes_per_second", utilization: 0.0945 },
    { resource: "disk", used: 42_905, planned: 49_152, unit: "gigabytes", utilization: 0.872 },
  ],
  binding: "disk",
  gains: [
    { amount: 42.7, unit: "megabytes_per_second" },
    { amount: 16_384, unit: "gigabytes" },
  ],
  machine_cost: "840.96",
  volume_cost: "3432.40",
  cost: "4273.36",
  node_cost: "280.32",
};
const rollup: Part = { ...kafka, name: "Flink: rollup", machine: "m5.4xlarge", nodes: 1, minimum_nodes: 1, slots: 1, disk_gigabytes: 0, resources: [{ resource: "cores", used: 0.3, planned: 9.6, unit: "cores", utilization: 0.03 }], binding: "cores", gains: [{ amount: 3020, unit: "percent", of: "points" }], cost: "560.64", node_cost: "560.64" };
const control: Part = { ...rollup, name: "Druid: coordinators, ZooKeeper", nodes: 5, minimum_nodes: 5, resources: [], gains: [], cost: "700.80" };
delete control.slots;
delete control.binding;

const plan: Plan = {
  load,
  rows: 21_666.7,
  produced: 18.9,
  consumed: 75.7,
  replicated: 37.8,
  slots: 1,
  lake_gigabytes: 24_768,
  segment_gigabytes: 1258,
  zone_gigabytes: 98_068,
  parts: [kafka, rollup, control],
  binding_part: "Kafka brokers",
  currency: "USD",
  object_storage_cost: "598.60",
  zone_traffic_cost: "1961.36",
  total_cost: "8094.76",
  limits: [],
  assumptions: ["rows kept: twice a point"],
  machines: ["m5.2xlarge", "m5.4xlarge", "r5.2xlarge"],
  volumes: ["gp3", "gp3-1000"],
};

test("an address is a load, and what is as usual is not in it", () => {
  const texts = textsOf({ points: 2_000_000, brokers: "m5.8xlarge", metric: "x", labels: { no: 1 }, late: "", tz: "utc" });
  expect(texts).toEqual({ points: "2000000", brokers: "m5.8xlarge" });
  expect(changesOf({ points: "2,000,000", series: "1000000", busy: "0.50" }, load)).toEqual({ points: 2_000_000, busy: 0.5 });
  expect(commandOf({})).toBe("make sizing");
  expect(commandOf({ points: "5", minutes_days: "7" })).toBe('make sizing LOAD="points=5 minutes-days=7"');
});

test("faults are found by field, here and in what the server says", () => {
  expect(faultsOf({ points: "2e6", series: "-1", groups: "1.5", busy: "2", late: "many", kafka_days: "" })).toEqual({
    series: expect.any(String),
    groups: "A whole figure.",
    busy: "From 0.01 to 1.",
    late: expect.any(String),
    kafka_days: expect.any(String),
  });
  expect(faultsByField(["broker_volume must be one of the price file: gp3.", "Something else."])).toEqual({ broker_volume: "Must be one of the price file: gp3." });
});

test("what binds and what a node buys is said in words", () => {
  expect(bindsText(kafka)).toBe("copies; then space on volumes");
  expect(bindsText({ ...kafka, nodes: 9 })).toBe("space on volumes");
  expect(bindsText(rollup)).toBe("one node; then cores");
  expect(bindsText(control)).toBe("copies");
  expect(gainText(kafka)).toBe("42.7 MB/s, 16.4 TB");
  expect(gainText(rollup)).toBe("3,020 % more points");
  expect(gainText(control)).toBe("nothing");
  expect([shareText(0), shareText(0.001), shareText(0.999), shareText(1)]).toEqual(["0 %", "< 1 %", "99 %", "100 %"]);
  const costs = costsOf(plan);
  expect(costs.map((each) => each.name)).toEqual(["Kafka brokers", "Traffic between zones", "Druid: coordinators, ZooKeeper", "Object storage", "Flink: rollup"]);
  expect(costs.reduce((sum, each) => sum + each.share, 0)).toBeCloseTo(1);
});

test("the usual load is shown with what binds first, utilisation and costs", async () => {
  answer("get", "/api/v1/sizing", plan);
  openPage(SizingPage, "platform/sizing");
  expect(await screen.findByLabelText("Points a second")).toHaveProperty("value", "200,000");
  expect(await screen.findByText(/First to bind: Kafka brokers/)).toBeTruthy();
  expect(screen.getByText(/with 87 % of the space on volumes that 3 × m5.2xlarge are planned for\. One more node buys 42.7 MB\/s, 16.4 TB, for 280.32 USD a month/)).toBeTruthy();
  const bars = screen.getByRole("region", { name: "Utilisation" });
  const binding = within(bars).getAllByText(", binds").map((mark) => mark.closest("li")?.textContent);
  expect(binding).toEqual(["space on volumes, binds87 %", "cores, binds3 %"]);
  const costs = within(screen.getByRole("region", { name: "Cost of a month" })).getAllByRole("row");
  expect(costs[1]?.textContent).toContain("Kafka brokers");
  expect(costs.at(-1)?.textContent).toContain("8,094.76");
  expect(screen.queryByRole("navigation", { name: "Platform" })).toBeNull();
});

test("a load that is computed is in the address, and as usual takes it out again", async () => {
  const asked: string[] = [];
  answer("get", "/api/v1/sizing", ({ address }) => {
    asked.push(address.search);
    return { ...plan, total_cost: address.search === "" ? "1.00" : "2.00", limits: address.search === "" ? [] : ["300 slots for the rollup job"] };
  });
  const { address } = openPage(SizingPage, "platform/sizing");
  const points = await screen.findByLabelText("Points a second");
  await userEvent.clear(points);
  await userEvent.type(points, "30,000,000{Enter}");
  expect(await screen.findByText("2.00 USD")).toBeTruthy();
  expect(address()).toContain("?points=30000000");
  expect(asked).toEqual(["", "?points=30000000"]);
  expect(screen.getByText(/Does not fit: 300 slots/)).toBeTruthy();
  expect(screen.getByText('make sizing LOAD="points=30000000"')).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "As usual" }));
  expect(await screen.findByText("1.00 USD")).toBeTruthy();
  expect(address()).not.toContain("points");
  expect(screen.getByLabelText("Points a second")).toHaveProperty("value", "200,000");
});

test("what is wrong is told at the field and asks nobody", async () => {
  let asked = 0;
  answer("get", "/api/v1/sizing", () => {
    asked += 1;
    return plan;
  });
  openPage(SizingPage, "platform/sizing");
  const groups = await screen.findByLabelText("Consumer groups");
  await userEvent.clear(groups);
  await userEvent.type(groups, "1.5");
  await userEvent.click(screen.getByRole("button", { name: "Compute" }));
  expect(await screen.findByText("A whole figure.")).toBeTruthy();
  expect(asked).toBe(1);
});

test("what the server refuses is told at its field, and the form stays", async () => {
  answer("get", "/api/v1/sizing", ({ address }) => (address.search === "" ? plan : problem(400, { code: "invalid_request", detail: "brokers must be one of the price file: m5.2xlarge.", errors: [{ detail: "brokers must be one of the price file: m5.2xlarge." }] })));
  openPage(SizingPage, "platform/sizing", "platform/sizing?brokers=abacus");
  expect(await screen.findByText("Must be one of the price file: m5.2xlarge.")).toBeTruthy();
  expect(screen.getByText(/Correct the marked fields/)).toBeTruthy();
  expect(screen.queryByText(/First to bind/)).toBeNull();
});

test("a failure names its request and can be tried again", async () => {
  let broken = true;
  answer("get", "/api/v1/sizing", () => (broken ? problem(503, { code: "store_unavailable" }) : plan));
  openPage(SizingPage, "platform/sizing");
  const again = await screen.findByRole("button", { name: "Try again" });
  broken = false;
  await userEvent.click(again);
  await waitFor(() => expect(screen.getByText(/First to bind/)).toBeTruthy());
});
