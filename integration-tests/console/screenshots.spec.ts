import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { wear } from "./faults";
import { pages } from "./pages";
import { create, place, signIn } from "./person";

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

const SELF = "/api/v1/organizations/org-self/environments/env-self";
const SELF_PAGES = "/console/o/org-self/e/env-self/alerts";

/** Opens what is to be seen anew for each theme: changing it loads the page again. */
async function shoot(page: Page, name: string, open: () => Promise<void> = async () => undefined): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await wear(page, theme);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await open();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`), fullPage: true });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("pictures of what an alert tells", async ({ page }) => {
  test.setTimeout(600_000);
  mkdirSync(folder, { recursive: true });
  await signIn(page);
  const { path, organization, environment } = await place(page);
  await create(page, `/api/v1/organizations/${organization}/environments/${environment}/metrics`, { name: "queue" });
  const silent = await create(page, `/api/v1/organizations/${organization}/environments/${environment}/alert-rules`, {
    name: "Nothing comes",
    severity: "warning",
    condition: { metric: "queue", aggregation: "avg", operator: "gte", threshold: 1, no_data_after_minutes: 1 },
  });
  const made = await create(page, `${SELF}/integrations`, {
    name: "Night shift",
    kind: "slack",
    url: "https://receiver.invalid/hook",
    group_messages: { by: ["rule_id"], wait_seconds: 5, max_transitions: 20 },
  });
  const integration = made["integration"] as { id: string };
  const rule = await create(page, `${SELF}/alert-rules`, {
    name: "Records come",
    severity: "info",
    condition: { metric: "kafka.topic.messages", aggregation: "sum", operator: "gte", threshold: 0, group_by: ["metric.topic"] },
  });

  await page.goto(`${SELF_PAGES}/integrations`);
  await shoot(page, "integration-new", () => page.getByRole("button", { name: "New integration" }).click());

  // The first minute that the rule decides comes within two; its incident has a page.
  await expect(async () => {
    const answer = (await (await page.request.get(`${SELF}/incidents?rule_id=${String(rule["id"])}`)).json()) as { data: { id: string }[] };
    expect(answer.data.length).toBeGreaterThan(0);
    await page.goto(`${SELF_PAGES}/incidents/${String(answer.data[0]?.id)}`);
    await expect(page.getByText("Records come").first()).toBeVisible();
  }).toPass({ timeout: 300_000 });
  await shoot(page, "incident");
  await page.goto(`${SELF_PAGES}/rules/${String(rule["id"])}`);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await shoot(page, "alert-rule-firing");
  await page.goto(`${SELF_PAGES}/integrations/${integration.id}`);
  await expect(page.getByRole("region", { name: "Delivery log" }).getByText("waiting").first()).toBeVisible();
  await shoot(page, "integration");
  await shoot(page, "delivery", async () => {
    await page.getByRole("region", { name: "Delivery log" }).getByRole("button").first().click();
    await expect(page.getByRole("dialog", { name: "Message" }).getByLabel("Body as sent")).toBeVisible();
  });

  await expect(async () => {
    await page.goto(`${path}/alerts/rules/${String(silent["id"])}`);
    await expect(page.locator(".badge", { hasText: /^\s*no data$/ }).first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 300_000 });
  await shoot(page, "alert-rule-no-data");
});
