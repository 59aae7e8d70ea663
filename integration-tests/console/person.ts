import { expect, type APIResponse, type Page } from "@playwright/test";

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; see README.md`);
  return value;
}

/** Signs in on the page that the browser was sent to, or opens one. */
export async function signIn(page: Page, path = "/console/"): Promise<void> {
  await page.goto(path);
  await page.getByLabel(/mail/i).fill(setting("CONSOLE_MAIL"));
  await page.getByLabel(/password/i).fill(setting("CONSOLE_PASSWORD"));
  await page.getByRole("button", { name: "Sign in" }).click();
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
