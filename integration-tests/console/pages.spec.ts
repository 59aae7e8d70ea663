import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf, wear } from "./faults";
import { pages } from "./pages";
import { place, signIn } from "./person";

// Dark in the long run only: the light walk finds what is not of colours.
for (const theme of ["light", "dark"] as const) {
  test(`every page has no fault of axe, of the policy or of a script, ${theme}${theme === "dark" ? " @long" : ""}`, async ({ page }) => {
    test.setTimeout(900_000); // The stack and other suites share the cores.
    const faults = faultsOf(page);
    await signIn(page);
    const { path } = await place(page);
    await wear(page, theme);
    for (const each of [`${path}`, ...pages.filter((own) => process.env["CONSOLE_ALL"] || !own.long).map((own) => `/console/o/org-self/e/env-self${own.path}`)]) {
      await page.goto(each);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expectAccessible(page, `${each} ${theme}`);
    }
    expect(faults).toEqual([]);
  });
}

test("a resource has its dashboard and what it costs @long", async ({ page }) => {
  const faults = faultsOf(page);
  await signIn(page);
  await page.goto("/console/o/org-self/e/env-self/resources");
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.waitForURL("**/resources/*");
  await expect(page.getByText("Points metered this month")).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expectAccessible(page, "a resource");
  expect(faults).toEqual([]);
});

test("pages fit a narrow screen @long", async ({ page }) => {
  test.setTimeout(600_000);
  await signIn(page);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const each of pages) {
    await page.goto(`/console/o/org-self/e/env-self${each.path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(beyond, `${each.name} is wider than the screen`).toBeLessThanOrEqual(0);
  }
});

test("what belongs to nobody the person knows looks like what is not there", async ({ page }) => {
  await signIn(page);
  const seen: string[] = [];
  for (const organization of ["org-ledger", "org-nowhere"]) {
    await page.goto(`/console/o/${organization}/e/production/explorer`);
    await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
    seen.push(await page.locator("body").innerText());
  }
  expect(seen[0]).toBe(seen[1]);
});

test("pages are reached by keyboard", async ({ page }) => {
  await signIn(page);
  await page.goto("/console/o/org-self/e/env-self");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.waitForURL("**/explorer*");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /Find/ }).fill("data in");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/data-in*");
});
