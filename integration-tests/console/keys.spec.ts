import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf } from "./faults";
import { place, signIn } from "./person";

test("a key is made, rotated while the old one works, and revoked @long", async ({ page }) => {
  const faults = faultsOf(page);
  await signIn(page);
  const { path } = await place(page);
  const works = async (key: string) => (await page.request.get("/api/v1/caller", { headers: { Authorization: `Bearer ${key}`, Cookie: "" } })).status();
  await page.goto(`${path}/settings/keys`);
  await page.getByRole("button", { name: "Create service account" }).click();
  const account = page.getByRole("dialog", { name: "Create a service account" });
  await account.getByLabel("Name").fill("Collector of the harbour");
  await account.getByRole("button", { name: "Create" }).click();
  const keys = page.getByRole("region", { name: "Keys of Collector of the harbour" });
  await keys.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Create/ }).click();
  const shown = page.getByRole("dialog", { name: "The new key" });
  await expect(shown.getByText("only time that it is shown")).toBeVisible();
  const first = (await shown.getByLabel("The new key").innerText()).trim();
  expect(first).toMatch(/^tdm_production_/);
  await expectAccessible(page, "a new key");
  await shown.getByRole("button", { name: "Done" }).click();
  expect(await works(first)).toBe(200);

  await keys.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^(Create|Rotate)/ }).click();
  const second = (await shown.getByLabel("The new key").innerText()).trim();
  expect(second).not.toBe(first);
  expect(await works(first), "the old key until it is revoked").toBe(200);
  expect(await works(second)).toBe(200);
  await shown.getByRole("button", { name: /Revoke/ }).click();
  await expect(shown.getByText("refused everywhere within 5 seconds")).toBeVisible();
  await shown.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => works(first), { timeout: 20_000 }).toBe(401);
  expect(await works(second)).toBe(200);
  await expect(page.locator("body")).not.toContainText(second);
  expect(faults).toEqual([]);
});
