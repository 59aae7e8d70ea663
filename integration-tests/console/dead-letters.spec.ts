import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf } from "./faults";
import { place, signIn } from "./person";

test("a dead letter is counted and put back, once @long", async ({ page }) => {
  test.setTimeout(600_000); // The letter and its replay pass the whole pipeline.
  const faults = faultsOf(page);
  await signIn(page);
  const { path } = await place(page);
  await page.goto(`${path}/data-in`);
  await page.getByRole("button", { name: "Create a key" }).click();
  await expect(page.getByText("only time that the key is shown")).toBeVisible();
  const snippet = await page.getByLabel("curl snippet").innerText();
  const authorization = /Bearer [A-Za-z0-9_.-]+/.exec(snippet)?.[0] ?? "";
  const address = /https?:\/\/\S+?\/v1\/metrics/.exec(snippet)?.[0] ?? "";
  const time = `${(Date.now() - 40 * 86_400_000) * 1_000_000}`;
  const sent = await page.request.post(address, {
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    data: { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: "late", gauge: { dataPoints: [{ timeUnixNano: time, asInt: "1" }] } }] }] }] },
  });
  expect(sent.status(), await sent.text()).toBe(200);

  await page.goto(`${path}/dead-letters?reason=TOO_LATE`);
  await expect(page.getByRole("cell", { name: "TOO_LATE" })).toBeVisible({ timeout: 240_000 });
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByRole("button", { name: "Count them" }).click();
  await expect(page.getByRole("cell", { name: "can be replayed" })).toBeVisible({ timeout: 120_000 });
  await expectAccessible(page, "what can be replayed");
  await page.getByRole("button", { name: "Replay 1 letter (1 point)" }).click();
  await expect(page.getByText("1 letter went back into the pipeline")).toBeVisible({ timeout: 120_000 });
  await page.getByRole("button", { name: "Count again" }).click();
  await page.getByRole("button", { name: "Count them" }).click();
  await expect(page.getByRole("cell", { name: "replayed before" })).toBeVisible({ timeout: 120_000 });
  expect(faults).toEqual([]);
});
