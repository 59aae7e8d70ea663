import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf } from "./faults";
import { create, place, signIn } from "./person";

test("a rule is made, changed, switched off and deleted", async ({ page }) => {
  const faults = faultsOf(page);
  await signIn(page);
  const { path, organization, environment } = await place(page);
  await create(page, `/api/v1/organizations/${organization}/environments/${environment}/metrics`, { name: "queue" });
  await page.goto(`${path}/alerts/rules`);
  await expect(page.getByText("No alert rules yet")).toBeVisible();
  await page.getByRole("link", { name: "New rule" }).click();
  await page.getByRole("button", { name: "Create rule" }).click();
  await expect(page.getByText("Choose a metric.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await expectAccessible(page, "a rule with faults");
  await page.getByLabel("Name", { exact: true }).fill("Queue grows");
  await page.getByRole("combobox", { name: "Metric" }).or(page.getByRole("textbox", { name: "Metric" })).first().click();
  await page.getByRole("option", { name: "queue" }).click();
  await page.getByLabel("Threshold").fill("100");
  await page.getByRole("button", { name: "Create rule" }).click();
  await expect(page.getByRole("heading", { name: "Rule: Queue grows" })).toBeVisible();
  await page.getByLabel("For minutes in a row").fill("3");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Version 2 decides minutes")).toBeVisible();

  await page.getByLabel("Name", { exact: true }).fill("Queue grows fast");
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(page.url());
  await elsewhere.getByLabel("For minutes in a row").fill("4");
  await elsewhere.getByRole("button", { name: "Save" }).click();
  await expect(elsewhere.getByText("Saved.")).toBeVisible();
  await elsewhere.close();
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("Somebody changed this meanwhile.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Queue grows fast");
  await expectAccessible(page, "a rule that was changed elsewhere");
  await page.getByRole("button", { name: /^Read the newest version/ }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Queue grows");

  await page.getByRole("link", { name: "Rules", exact: true }).click();
  await expect(page.getByText("Average of queue over 5 min above 100 for 4 min")).toBeVisible();
  await page.getByRole("button", { name: "Disable Queue grows" }).click();
  await expect(page.getByRole("button", { name: "Enable Queue grows" })).toBeVisible();
  await page.getByRole("link", { name: "Queue grows" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete rule" }).click();
  await expect(page.getByText("No alert rules yet")).toBeVisible();
  expect(faults).toEqual([]);
});

test("an integration shows its secret once and what became of its messages @long", async ({ page }) => {
  const faults = faultsOf(page);
  await signIn(page);
  const { path } = await place(page);
  await page.goto(`${path}/alerts/integrations`);
  await page.getByRole("button", { name: "New integration" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Night shift");
  await page.getByLabel("Address").fill("https://night:shift@receiver.invalid/hook");
  await page.getByRole("button", { name: "Create and send a test message" }).click();
  await expect(page.getByText("url must not have credentials").first()).toBeVisible();
  await page.getByLabel("Address").fill("https://receiver.invalid/hook");
  await page.getByRole("button", { name: "Create and send a test message" }).click();
  await expect(page.getByText("whsec_")).toBeVisible();
  await page.getByRole("link", { name: "Open the delivery log" }).click();
  const log = page.getByRole("region", { name: "Delivery log" });
  // A name that does not resolve: tried, and tried again later.
  await expect(log.getByText("waiting").first()).toBeVisible();
  await log.getByRole("button").first().click();
  const message = page.getByRole("dialog", { name: "Message" });
  await expect(message.getByLabel("Body as sent")).toBeVisible();
  await message.getByRole("button", { name: "Send again" }).click();
  await expect(message.getByText("It is sent again")).toBeVisible();
  await expectAccessible(page, "a message");
  expect(faults).toEqual([]);
});

test("a pack becomes rules that are seen with their runbooks, and goes again @long", async ({ page }) => {
  const faults = faultsOf(page);
  await signIn(page);
  const { path } = await place(page);
  await page.goto(`${path}/alerts/packs`);
  const kafka = page.getByRole("region", { name: /Kafka/ }).first();
  await kafka.getByRole("button", { name: /^Enable/ }).click();
  await expect(kafka.getByText("enabled", { exact: true })).toBeVisible({ timeout: 60_000 });
  await kafka.locator("summary").click();
  const rule = kafka.getByRole("row").nth(1);
  await expect(rule).toContainText("docs/runbooks/");
  await expectAccessible(page, "an enabled pack");
  await rule.getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: /^Rule: /, level: 1 })).toBeVisible();
  await page.goBack();
  await kafka.getByRole("button", { name: /^Disable/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable pack" }).click();
  await expect(kafka.getByText("not enabled", { exact: true })).toBeVisible({ timeout: 60_000 });
  expect(faults).toEqual([]);
});
