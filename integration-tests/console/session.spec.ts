import { expect, test } from "@playwright/test";
import { faultsOf } from "./faults";
import { create, place, signIn, typePassword } from "./person";

test("a session that ends in the middle of a form loses nothing that was typed @long", async ({ page, context }) => {
  const faults = faultsOf(page);
  await signIn(page);
  const { path, organization, environment } = await place(page);
  await create(page, `/api/v1/organizations/${organization}/environments/${environment}/metrics`, { name: "queue" });
  await page.goto(`${path}/alerts/rules/new?metric=queue`);
  await page.getByLabel("Name", { exact: true }).fill("Typed before the session ended");
  await page.getByLabel("Threshold").fill("42");
  await page.getByLabel("Description").fill("Long thoughts\u2026");
  await context.clearCookies();
  await page.getByRole("button", { name: "Create rule" }).click();
  const over = page.getByRole("dialog", { name: "Your session is over" });
  await expect(over).toBeVisible();
  const [tab] = await Promise.all([context.waitForEvent("page"), over.getByRole("link", { name: "Sign in again" }).click()]);
  await typePassword(tab);
  await expect(tab.getByRole("heading", { name: "You are signed in again" })).toBeVisible();
  await tab.close();
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(over).toHaveCount(0);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed before the session ended");
  await expect(page.getByLabel("Description")).toHaveValue("Long thoughts\u2026");
  // Not what an address holds, but what the form is sent with: the token of the new session.
  await page.getByRole("button", { name: "Create rule" }).click();
  await expect(page.getByRole("heading", { name: "Rule: Typed before the session ended" })).toBeVisible();
  expect(faults).toEqual([]);
});

test("a silence is made and ended with the keyboard alone @long", async ({ page }) => {
  const faults = faultsOf(page);
  await signIn(page);
  const { path } = await place(page);
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (name: string, kind: "button" | "link" | "field" = "button") => {
    const wanted = kind === "field" ? page.getByLabel(name, { exact: true }).and(page.locator("input")) : page.getByRole(kind, { name }).first();
    for (let tries = 0; tries < 60; tries++) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`${name} is not reached by Tab`);
  };
  await press("g", "a");
  await page.waitForURL("**/alerts*");
  await tabTo("Silences", "link");
  await press("Enter");
  await expect(page.getByText("Nothing is silenced")).toBeVisible();
  await tabTo("New silence");
  await press("Enter");
  const dialog = page.getByRole("dialog", { name: "New silence" });
  await expect(dialog.getByLabel("Why")).toBeFocused();
  await page.keyboard.type("Patches tonight");
  await tabTo("Label", "field");
  await page.keyboard.type("severity");
  await press("Tab", "Tab");
  await page.keyboard.type("warning");
  await press("Enter");
  await expect(dialog.getByText("severity is warning")).toBeVisible();
  await tabTo("Create silence");
  await press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Patches tonight")).toBeVisible();
  await tabTo("End the silence Patches tonight");
  await press("Enter");
  await expect(page.getByRole("dialog", { name: "End the silence" })).toBeVisible();
  await tabTo("End silence");
  await press("Enter");
  await expect(page.getByText("Nothing is silenced")).toBeVisible();
  expect(faults).toEqual([]);
});
