import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf, wear } from "./faults";
import { signIn } from "./person";

test("the way of points is drawn and read as a table, by keyboard too @long", async ({ page }) => {
  test.setTimeout(300_000);
  const faults = faultsOf(page);
  await signIn(page);
  await page.goto("/console/o/org-self/e/env-self/lineage");
  const druid = page.getByRole("row", { name: /Rollup topics → Druid/ });
  await expect(druid).toContainText("flowing", { timeout: 180_000 });
  await expect(druid).toContainText("/min", { timeout: 180_000 });
  const drawing = page.getByRole("group", { name: "Edges of the pipeline" });
  await expect(drawing.getByRole("button")).toHaveCount(12);

  const drawn = drawing.getByRole("button", { name: /^Rollup topics to Druid: flowing, rows [\d.,k ]+\/min, lag / });
  await drawn.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/edge=rollup_topics-druid/);
  await expect(drawn).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("heading", { name: "Rollup topics to Druid" })).toBeVisible();

  const slider = page.getByRole("slider", { name: "Minute" });
  await slider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(/minute=/);
  await expect(druid).toContainText(/passed/);
  await page.getByRole("button", { name: "Show the mean" }).click();
  await expect(druid).toContainText("/min");

  await expectAccessible(page, "the pipeline");
  await wear(page, "dark");
  await expect(druid).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page, "the pipeline in the dark");

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(drawing).toBeHidden();
  await expect(page.getByRole("button", { name: "Rollup topics → Druid" })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), "nothing is cut off at the side").toBe(true);
  expect(faults).toEqual([]);
});
