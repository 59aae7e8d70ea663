import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf } from "./faults";
import { signIn } from "./person";

test("series by metric lead to a label and to what dropping it would save @long", async ({ page }) => {
  test.setTimeout(300_000);
  const faults = faultsOf(page);
  await signIn(page);
  await page.goto("/console/o/org-self/e/env-self/cardinality");
  const rows = page.getByRole("table").first().getByRole("row");
  await expect(rows.nth(1)).toBeVisible({ timeout: 120_000 });
  await rows.nth(1).getByRole("button").click();
  const drop = page.getByRole("button", { name: /^Drop / }).first();
  await expect(drop).toBeVisible({ timeout: 120_000 });
  await drop.focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("region", { name: /^What if / });
  await expect(panel.getByText(/instead of [\d,]+ series/)).toBeVisible({ timeout: 120_000 });
  await expect(panel.getByRole("row").nth(1)).toContainText("rollup_1m");
  await expectAccessible(page, "cardinality with a what-if");
  expect(faults).toEqual([]);
});
