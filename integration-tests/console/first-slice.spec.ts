import { execFileSync } from "node:child_process";
import { expect, test } from "@playwright/test";
import { faultsOf } from "./faults";
import { place, signIn } from "./person";

test("from the sign-in to a final point that a colleague sees by the link", async ({ page, browser }) => {
  const faults = faultsOf(page);
  await signIn(page);
  const { path } = await place(page);
  await page.goto(`${path}/data-in`);

  await page.getByRole("button", { name: "Create a key" }).click();
  await expect(page.getByText("only time that the key is shown")).toBeVisible();
  const snippet = await page.getByLabel("curl snippet").innerText();
  expect(snippet).toContain("Bearer tdm_production_");
  await expect(page.getByText("Waiting for the first point")).toBeVisible();
  execFileSync("sh", ["-c", snippet], { timeout: 30_000 });
  await expect(page.getByText("First point received")).toBeVisible({ timeout: 60_000 });

  await page.getByRole("link", { name: "See it in the Explorer" }).click();
  const chart = page.getByRole("img", { name: /Sum of first.point/ });
  await expect(chart).toBeVisible();
  const completeness = page.getByRole("main");
  await expect(completeness.getByText("provisional", { exact: true })).toBeVisible();
  await expect(chart).toHaveAttribute("data-provisional", "1");
  await expect(chart).toHaveAttribute("data-hatched", "true");
  const row = page.getByRole("region", { name: "Series" }).getByRole("row").nth(1);
  await expect(row).toContainText("all series");
  await expect(row.getByRole("cell").last()).toHaveText("1");
  // The same bucket, once the pipeline has read all of its minute.
  await expect(chart).toHaveAttribute("data-provisional", "0", { timeout: 150_000 });
  await expect(chart).toHaveAttribute("data-final", "1");
  await expect(row.getByRole("cell").nth(2)).toHaveText("1");

  const link = page.url();
  const elsewhere = await browser.newContext();
  const colleague = await elsewhere.newPage();
  await signIn(colleague, link);
  expect(colleague.url()).toBe(link);
  const seen = colleague.getByRole("region", { name: "Series" }).getByRole("row").nth(1);
  await expect(seen.getByRole("cell").nth(2)).toHaveText("1");
  await expect(colleague.getByRole("img", { name: /Sum of first.point/ })).toHaveAttribute("data-final", "1");
  await elsewhere.close();
  expect(faults).toEqual([]);
});
