import { createHmac } from "node:crypto";
import { expect, test } from "@playwright/test";
import { expectAccessible, faultsOf } from "./faults";
import { colleague, place, signIn, typePassword } from "./person";

test("a viewer sees and does no more than the role says, until the role is changed @long", async ({ page, browser }) => {
  test.setTimeout(300_000);
  const faults = faultsOf(page);
  await signIn(page);
  const { path, organization, environment } = await place(page);
  const grace = await colleague(page, browser, organization, "metrics_viewer");
  const theirs = grace.page;
  const theirFaults = faultsOf(theirs);

  await theirs.goto(`${path}/alerts/rules`);
  await expect(theirs.getByRole("heading", { name: "Alert rules" })).toBeVisible();
  await expect(theirs.getByText("No alert rules yet")).toBeVisible();
  await expect(theirs.getByRole("link", { name: "New rule" })).toHaveCount(0);
  await theirs.goto(`${path}/alerts/rules/new`);
  await expect(theirs.getByText("You may not create alert rules")).toBeVisible();
  await theirs.goto(`${path}/settings/people`);
  await expect(theirs.getByText("You may not see who belongs to the organisation")).toBeVisible();
  await expect(theirs.getByText("members:read")).toBeVisible();
  await expectAccessible(theirs, "a page that is forbidden");
  await theirs.goto(`${path}/billing/invoices`);
  await expect(theirs.getByText("billing:read")).toBeVisible();
  // What a page does not offer the API does not do either.
  const session = (await (await theirs.request.get("/api/v1/session")).json()) as { csrf_token: string };
  const refused = await theirs.request.post(`/api/v1/organizations/${organization}/environments/${environment}/metrics`, { data: { name: "queue" }, headers: { "X-CSRF-TOKEN": session.csrf_token } });
  expect(refused.status()).toBe(403);

  await page.goto(`${path}/settings/people`);
  const row = page.getByRole("row", { name: /Grace/ });
  await expect(row).toContainText("metrics viewer");
  await row.getByRole("button", { name: "Change role" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the role of Grace" });
  await dialog.getByLabel("Role").click();
  await page.getByRole("option", { name: "developer" }).click();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(row).toContainText("developer");
  await theirs.goto(`${path}/alerts/rules`);
  await expect(theirs.getByRole("link", { name: "New rule" })).toBeVisible();

  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog", { name: "Remove Grace" }).getByRole("button", { name: "Remove" }).click();
  await expect(row).toHaveCount(0);
  // Who is removed is signed out at once.
  await theirs.goto(`${path}/alerts/rules`);
  await expect(theirs.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(faults).toEqual([]);
  expect(theirFaults).toEqual([]);
  await theirs.context().close();
});

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The code of an authenticator app for the secret, as of RFC 6238. */
function codeOf(secret: string, time: number): string {
  let bits = "";
  for (const letter of secret.replaceAll(/[^A-Z2-7]/g, "")) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, "0");
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(time / 30_000)));
  const mac = createHmac("sha1", key).update(step).digest();
  const offset = (mac[19] ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

test("a second factor is set up, asked for, and replaced by a recovery code once @long", async ({ page, browser }) => {
  test.setTimeout(300_000);
  await signIn(page);
  const { organization } = await place(page);
  const grace = await colleague(page, browser, organization, "developer");
  const theirs = grace.page;
  await theirs.goto("/console/");
  await theirs.getByRole("button", { name: /^You:/ }).click();
  await theirs.getByRole("menuitem", { name: /second factor/ }).click();
  await theirs.getByRole("link", { name: "Second factor" }).click();
  const secret = await theirs.locator("code").innerText();
  await theirs.getByLabel("Code from the app").fill(codeOf(secret, Date.now()));
  await theirs.getByLabel("Your password").fill(grace.who.password);
  await theirs.getByRole("button", { name: "Turn it on" }).click();
  await expect(theirs.getByText("The second factor is on.")).toBeVisible();
  const recovery = await theirs.locator(".codes code").first().innerText();

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await other.goto("/console/");
  await typePassword(other, grace.who);
  await expect(other.getByText("Your password was right.")).toBeVisible();
  await other.getByLabel(/^Code/).fill("000000");
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByLabel(/^Code/)).toBeVisible();
  // A code works once: the one of the set-up is used, that of the next half minute is not.
  await other.getByLabel(/^Code/).fill(codeOf(secret, Date.now() + 30_000));
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.waitForURL((url) => url.pathname.startsWith("/console/"));
  await elsewhere.close();

  for (const works of [true, false]) {
    const context = await browser.newContext();
    const again = await context.newPage();
    await again.goto("/console/");
    await typePassword(again, grace.who);
    await again.getByLabel(/^Code/).fill(recovery);
    await again.getByRole("button", { name: "Sign in" }).click();
    if (works) await again.waitForURL((url) => url.pathname.startsWith("/console/"));
    else await expect(again.getByLabel(/^Code/)).toBeVisible();
    await context.close();
  }
  await theirs.context().close();
});

test("times follow the zone that a person chose, on another browser too @long", async ({ page, browser }) => {
  await signIn(page);
  const { path, organization } = await place(page);
  const grace = await colleague(page, browser, organization, "organization_admin");
  await grace.page.goto(`${path}/settings/profile`);
  const zone = grace.page.getByLabel("Times are shown in").and(grace.page.locator("input"));
  await zone.click();
  await zone.fill("Tokyo");
  await grace.page.getByRole("option", { name: "Asia/Tokyo" }).click();
  await grace.page.getByRole("button", { name: "Save time zone" }).click();
  await expect(grace.page.getByText("Saved.")).toBeVisible();
  const elsewhere = await browser.newContext({ timezoneId: "America/New_York" });
  const other = await elsewhere.newPage();
  await signIn(other, `${path}/settings/profile`, grace.who);
  const tokyo = new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", day: "2-digit", hour: "2-digit", hourCycle: "h23" }).formatToParts(Date.now());
  const hour = tokyo.find((part) => part.type === "hour")?.value ?? "";
  await expect(other.getByText(new RegExp(`It is .*, ${hour}:\\d\\d:\\d\\d by the zone that is saved`))).toBeVisible();
  await elsewhere.close();
  await grace.page.context().close();
});
