import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { wear } from "./faults";
import { pages } from "./pages";
import { signIn } from "./person";

const folder = process.env["CONSOLE_SCREENSHOTS"] ?? "screenshots";

test("pictures of every page", async ({ page }) => {
  test.setTimeout(600_000);
  mkdirSync(folder, { recursive: true });
  await page.goto("/console/");
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await page.screenshot({ path: join(folder, "sign-in-light-1440.png") });
  await signIn(page);
  for (const theme of ["light", "dark"] as const) {
    await wear(page, theme);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      for (const each of pages) {
        await page.goto(`/console/o/org-self/e/env-self${each.path}`);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
        await page.screenshot({ path: join(folder, `${each.name}-${theme}-${width}.png`), fullPage: true });
      }
    }
  }
});
