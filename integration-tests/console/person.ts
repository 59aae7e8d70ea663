import { expect, type APIResponse, type Browser, type Page } from "@playwright/test";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; see README.md`);
  return value;
}

/** Somebody who signs in. */
export interface Credentials {
  mail: string;
  password: string;
}

/** Signs in on the page that the browser was sent to, or opens one. */
export async function signIn(page: Page, path = "/console/", who?: Credentials): Promise<void> {
  await page.goto(path);
  await typePassword(page, who);
  // The path, not the address: the sign-in page carries the way back in its query.
  await page.waitForURL((url) => url.pathname.startsWith("/console/"));
}

/** A change through the API with the session of the page. */
export async function create(page: Page, path: string, data: object): Promise<Record<string, unknown>> {
  const session = (await (await page.request.get("/api/v1/session")).json()) as { csrf_token: string };
  const answer: APIResponse = await page.request.post(path, { data, headers: { "X-CSRF-TOKEN": session.csrf_token } });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as Record<string, unknown>;
}

export interface Place {
  organization: string;
  environment: string;
  path: string;
}

/** An organisation with one environment, so that nothing of other tests is in sight. */
export async function place(page: Page): Promise<Place> {
  const organization = String((await create(page, "/api/v1/organizations", { display_name: "Harbour Logistics" }))["id"]);
  await create(page, `/api/v1/organizations/${organization}/environments`, { id: "production", display_name: "Production" });
  return { organization, environment: "production", path: `/console/o/${organization}/e/production` };
}

/** Fills the page of the sign-in; what comes next is the caller's. */
export async function typePassword(page: Page, who?: Credentials): Promise<void> {
  await page.getByLabel(/mail/i).fill(who?.mail ?? setting("CONSOLE_MAIL"));
  await page.getByLabel(/password/i).fill(who?.password ?? setting("CONSOLE_PASSWORD"));
  await page.getByRole("button", { name: "Sign in" }).click();
}

let people = 0;

/** Invites somebody with a role through the API, who makes an account by the link and joins. */
export async function colleague(page: Page, browser: Browser, organization: string, role: string): Promise<{ page: Page; who: Credentials; person: string }> {
  const who = { mail: `colleague${++people}.${Date.now()}@example.org`, password: "seven patient lanterns" };
  const invited = await create(page, `/api/v1/organizations/${organization}/invitations`, { mail: who.mail, grants: [{ role }] });
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto(String(invited["link"]));
  await theirs.getByLabel("Your name").fill("Grace");
  await theirs.getByLabel(/^Password/).fill(who.password);
  await theirs.getByRole("button", { name: "Make an account and go on" }).click();
  await typePassword(theirs, who);
  await theirs.getByRole("button", { name: /^Join/ }).click();
  await theirs.getByRole("link", { name: "Go on" }).click();
  await theirs.waitForURL((url) => url.pathname.startsWith("/console/"));
  const session = (await (await theirs.request.get("/api/v1/session")).json()) as { person: { id: string } };
  return { page: theirs, who, person: session.person.id };
}
