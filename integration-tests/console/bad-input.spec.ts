import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf } from "./faults";
import { answerQueries, path, rowsOf, simulate } from "./simulated";

const METRIC = [{ name: "evil", labels: ["who"] }];
const EXPLORER = `${path}/explorer?metric=evil&agg=AVG&by=%5B%22metric.who%22%5D&from=now-15m&to=now`;

const EVIL = [
  '<img src=x onerror="window.hurt=1">',
  "<script>window.hurt=1</script>",
  "{{constructor.constructor('window.hurt=1')()}}",
  "=cmd|'/c calc'!A1",
  "+1+1",
  "-1+1",
  "@SUM(A1)",
  "\u202egnp.exe",
  "zero\u200bwidth",
  "a\u0000b\u0007c",
  "x".repeat(10_000),
  "\u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u{1F600}".repeat(20),
  "Z\u0351\u036B\u0343\u036A".repeat(50),
  "javascript:alert(1)",
  "__proto__",
];

function minutes(count: number): number[] {
  const end = Math.floor(Date.now() / 60_000) * 60_000;
  return Array.from({ length: count }, (_, index) => end - (count - index) * 60_000);
}

test("label values of any kind are shown harmlessly, and cells of the CSV are no formulas", async ({ page }, info) => {
  const faults = faultsOf(page);
  await simulate(page, ["metrics:read", "catalog:read"], METRIC);
  await answerQueries(page, rowsOf(EVIL, "metric.who", minutes(10)));
  await page.goto(EXPLORER);
  const table = page.getByRole("region", { name: "Series" });
  await expect(table.getByRole("row")).toHaveCount(EVIL.length + 1);
  await expect(table).toContainText('<img src=x onerror="window.hurt=1">');
  await expect(table).toContainText("\\u202egnp.exe");
  await expect(table).toContainText("zero\\u200bwidth");
  await expect(table).toContainText("a\\u0000b\\u0007c");
  expect(await page.evaluate(() => (window as unknown as { hurt?: number }).hurt)).toBeUndefined();
  await expect(page.locator("main img")).toHaveCount(0);
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond, "ten thousand characters do not widen the page").toBeLessThanOrEqual(0);
  await page.locator(".chart .u-over").hover();
  await expectAccessible(page, "a chart of evil labels");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  const file = info.outputPath("evil.csv");
  await download.saveAs(file);
  const head = readFileSync(file, "utf8").split("\r\n")[0] ?? "";
  for (const formula of EVIL.filter((each) => /^[=+\-@]/.test(each))) expect(head).toContain(`'${formula}`);
  expect(faults).toEqual([]);
});

const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

test("files that are large, deep, or of another tool are taken as far as they go", async ({ page }) => {
  const faults = faultsOf(page);
  await simulate(page, ["metrics:read", "catalog:read", "dashboards:read", "dashboards:write"], METRIC);
  await page.goto(`${path}/dashboards`);
  const choose = (name: string, text: string | Buffer) => page.getByLabel("Dashboard file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await expect(page.getByRole("button", { name: "Import" })).toBeVisible();
  for (const [text, told] of [
    ["{", "The file is not JSON"],
    [Buffer.alloc(10_000_000, "x"), "10.0 MB"],
    [DEEP, "nested too deeply"],
    ["\u0000\uFFFD", "The file is not JSON"],
    [JSON.stringify({ schemaVersion: 39, title: "Map", panels: [{ type: "geomap", title: "<b>World</b>" }] }), "geomap"],
  ] as const) {
    await choose("bad.json", text);
    const refused = page.getByRole("dialog", { name: "The file was not imported" });
    await expect(refused).toContainText(told);
    await refused.getByRole("button", { name: "Close" }).last().click();
  }
  await choose("grafana.json", JSON.stringify({ schemaVersion: 39, title: "Brokers", templating: { list: [{ name: "cluster" }] }, panels: [{ type: "timeseries", title: "Evil", targets: [{ expr: 'avg by (who) (evil{cluster="$cluster"})' }] }, { type: "candlestick", title: "Prices" }] }));
  const dialog = page.getByRole("dialog", { name: "Import Brokers" });
  await expect(dialog).toContainText("1 panel");
  const left = dialog.getByRole("region", { name: "What could not be taken" });
  await expect(left).toContainText("“Prices”: panels of the kind candlestick do not exist here.");
  await expect(left).toContainText("filters on cluster");
  await expectAccessible(page, "an import with parts left out");
  expect(faults).toEqual([]);
});

test("an answer that is cut off or refused for now is told, and what was read stays @long", async ({ page }) => {
  test.setTimeout(420_000);
  await simulate(page, ["metrics:read", "catalog:read"], METRIC);
  await answerQueries(page, rowsOf(["a"], "metric.who", minutes(10)));
  await page.goto(EXPLORER);
  const row = page.getByRole("region", { name: "Series" }).getByRole("row").nth(1);
  await expect(row).toContainText("a");
  await page.route("**/v2/metrics/*/query", (route) => route.fulfill({ status: 200, contentType: "application/json", body: '{"data":[{"timest' }));
  await expect(page.getByText(/Shown as read at/)).toBeVisible({ timeout: 120_000 });
  await expect(row).toContainText("a");
  let asked = 0;
  await page.route("**/v2/metrics/*/query", (route) => {
    asked++;
    return route.fulfill({ status: 429, contentType: "application/json", headers: { "Retry-After": "3" }, body: JSON.stringify({ errors: [{ code: "rate_limited", detail: "Too many questions in a minute." }] }) });
  });
  await expect(page.getByText(/Too many questions in a minute/)).toBeVisible({ timeout: 120_000 });
  await expect(row).toContainText("a");
  const before = asked;
  await page.waitForResponse("**/v2/metrics/*/query");
  expect(asked - before, "no storm of tries").toBeLessThanOrEqual(2);
  await answerQueries(page, rowsOf(["b"], "metric.who", minutes(10)));
  await expect(row).toContainText("b", { timeout: 120_000 });
  await expect(page.getByText(/Shown as read at/)).toHaveCount(0);
});

test("a server that takes a request and never answers is told, and the form keeps what was typed @long", async ({ page }) => {
  test.setTimeout(300_000);
  await simulate(page, ["metrics:read", "catalog:read", "alerts:read", "alerts:write"], METRIC);
  await page.goto(`${path}/alerts/rules/new?metric=evil`);
  await page.getByLabel("Name", { exact: true }).fill("Typed while the server stalls");
  await page.getByLabel("Threshold").fill("1");
  await page.route("**/alert-rules", () => undefined);
  await page.getByRole("button", { name: "Create rule" }).click();
  await expect(page.getByText("The server does not answer")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText(/look whether it was made/)).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed while the server stalls");
  await expect(page.getByRole("button", { name: "Create rule" })).toBeEnabled();
});

test("a clock that is off by an hour is told, and questions go by the server's", async ({ page }) => {
  const faults = faultsOf(page);
  const real = Date.now();
  await page.addInitScript(() => {
    const ahead = 3_600_000;
    globalThis.Date = new Proxy(Date, {
      construct: (real, given: unknown[]) => (given.length === 0 ? new real(real.now() + ahead) : new real(...(given as [number]))),
      get: (real, name) => (name === "now" ? () => real.now() + ahead : (Reflect.get(real, name) as unknown)),
    });
  });
  await simulate(page, ["metrics:read", "catalog:read"], METRIC);
  let interval = "";
  await page.route("**/v2/metrics/*/query", (route) => {
    interval = String((route.request().postDataJSON() as { intervals: string[] }).intervals[0]);
    return route.fulfill({ status: 200, contentType: "application/json", headers: { Date: new Date().toUTCString() }, body: JSON.stringify({ data: rowsOf(["a"], "metric.who", minutes(10)), meta: {} }) });
  });
  await page.goto(EXPLORER);
  await expect(page.getByText("The clock of this computer is 60 min ahead.")).toBeVisible();
  await expect.poll(() => Math.abs(Date.parse(interval.split("/")[1] ?? "") - real)).toBeLessThan(600_000);
  expect(faults).toEqual([]);
});
