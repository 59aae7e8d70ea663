import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf } from "./faults";
import { place, signIn } from "./person";

const HOME = "/console/o/org-self/e/env-self";

test("a chart is saved to a dashboard, which is edited, looked back at and restored", async ({ page }) => {
  test.setTimeout(360_000);
  const faults = faultsOf(page);
  await signIn(page);
  await page.goto(`${HOME}/explorer?metric=kafka.topic.messages&agg=RATE&by=%5B%22metric.topic%22%5D&from=now-15m&to=now`);
  await page.getByRole("button", { name: "Save to dashboard" }).click();
  const dialog = page.getByRole("dialog", { name: "Save to dashboard" });
  await dialog.getByLabel("Title of the dashboard").fill("Topics at night");
  await dialog.getByLabel("Title of the panel").fill("Messages in");
  await dialog.getByRole("button", { name: "Save panel" }).click();
  await dialog.getByRole("link", { name: "Open the dashboard" }).click();
  await expect(page.getByRole("heading", { name: "Topics at night", level: 1 })).toBeVisible();
  // A stack that has just started has no whole minute yet, and a rate of less is left out.
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("img", { name: /Messages in: Rate per second of kafka.topic.messages/ })).toBeVisible({ timeout: 10_000 });
  }).toPass({ timeout: 240_000 });
  await expectAccessible(page, "a dashboard");

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Topics by day");
  await page.getByRole("button", { name: "Add a text" }).click();
  await page.getByLabel("Text", { exact: true }).fill("Ask the streaming team.\n<b>Twice.</b>");
  await page.getByRole("button", { name: "Move panel 2 up" }).focus();
  await page.keyboard.press("Enter");
  await expectAccessible(page, "the editor of a dashboard");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Topics by day", level: 1 })).toBeVisible();
  await expect(page.getByText("<b>Twice.</b>")).toBeVisible();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Versions" }).click();
  const versions = page.getByRole("dialog", { name: "Versions" });
  await expect(versions.getByRole("row")).toHaveCount(3);
  await versions.getByRole("button", { name: "Show version 1" }).click();
  await expect(page.getByText("This is version 1, not the newest.")).toBeVisible();
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await expect(page.getByRole("heading", { name: "Topics at night", level: 1 })).toBeVisible();
  await expect(page.getByText("<b>Twice.</b>")).toHaveCount(0);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Versions" }).click();
  await expect(page.getByRole("dialog", { name: "Versions" }).getByText("restored 1")).toBeVisible();
  await page.keyboard.press("Escape");

  // The same address in a fresh page shows the same; what is deleted is gone.
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByLabel("Type Topics at night to go on").fill("Topics at night");
  await page.getByRole("button", { name: "Delete dashboard" }).click();
  await page.waitForURL("**/dashboards*");
  await expect(page.getByRole("link", { name: "Topics at night" })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test("what is exported is imported again, and what is no dashboard is refused @long", async ({ page }, info) => {
  const faults = faultsOf(page);
  await signIn(page);
  const { path } = await place(page);
  await page.goto(`${path}/dashboards/kafka`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "JSON" }).click()]);
  const file = info.outputPath("kafka.json");
  await download.saveAs(file);
  const exported = JSON.parse(readFileSync(file, "utf8")) as { title: string };
  writeFileSync(file, JSON.stringify({ ...exported, title: "=Kafka \u202e copy" }));
  await page.goto(`${path}/dashboards`);
  await page.getByLabel("Dashboard file").setInputFiles(file);
  await page.getByRole("button", { name: "Import dashboard" }).click();
  await expect(page.getByRole("heading", { name: "=Kafka \\u202e copy", level: 1 })).toBeVisible();

  await page.goto(`${page.url().split("?")[0] ?? ""}?edit=1`);
  await page.getByRole("button", { name: "Add a variable" }).click();
  await page.getByLabel("Name", { exact: true }).fill("topic");
  await page.getByRole("combobox", { name: "Label", exact: true }).fill("metric.topic");
  await page.keyboard.press("Escape");
  await expectAccessible(page, "the editor of variables");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("combobox", { name: "topic" })).toBeVisible();
  await expectAccessible(page, "a dashboard with variables");

  await page.goto(`${path}/dashboards`);
  for (const [text, told] of [
    ["{", "The file is not JSON"],
    ["x".repeat(10_000_000), "10.0 MB"],
    [JSON.stringify({ version: 1, title: "x", panels: [{ type: "iframe" }] }), "type must be one of"],
  ] as const) {
    await page.getByLabel("Dashboard file").setInputFiles({ name: "bad.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await expect(page.getByRole("dialog", { name: "The file was not imported" })).toContainText(told);
    await page.getByRole("button", { name: "Close" }).last().click();
  }
  expect(faults).toEqual([]);
});
