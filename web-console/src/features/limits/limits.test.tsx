import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/queries";
import { openPage, seenAgain } from "../../testing/page";
import { answer, problem, signedIn, versioned } from "../../testing/server";
import { LimitsPage } from "./limits-page";

const HERE = "/api/v1/organizations/{organization_id}/environments/{environment_id}";
const ALL = "/api/v1/organizations/{organization_id}";

const quotas = (points?: number): Schemas["Quotas"] => ({ set: points === undefined ? {} : { points_per_second: points }, in_force: { points_per_second: points ?? 1000, bytes_per_second: 1000, requests_per_second: 10 } });

/** Quotas of each environment; every one begins as version 1. */
function place(): Map<string, { points?: number; version: number }> {
  const stored = new Map<string, { points?: number; version: number }>();
  const of = (address: URL) => {
    const environment = address.pathname.split("/environments/")[1]?.split("/")[0] ?? "";
    if (!stored.has(environment)) stored.set(environment, { version: 1 });
    return stored.get(environment) as { points?: number; version: number };
  };
  signedIn(["budgets:read", "budgets:write"]);
  const budgets: Schemas["Budgets"] = { set: {}, in_force: { active_series: 1, new_series_per_minute: 1, labels_per_series: 1, label_keys_per_metric: 1, label_value_length: 1 } as Schemas["BudgetLimits"], updated_at: "2026-11-01T00:00:00Z" };
  answer("get", `${HERE}/budgets`, () => versioned(budgets as never, 1));
  answer("get", `${ALL}/budgets`, () => versioned(budgets as never, 1));
  answer("get", `${ALL}/quotas`, () => versioned(quotas() as never, 1));
  answer("get", `${HERE}/quotas`, ({ address }) => versioned(quotas(of(address).points) as never, of(address).version));
  return stored;
}

const form = async () => within(await screen.findByRole("form", { name: "Quotas of this environment" }));
const points = async () => (await form()).getByRole("textbox", { name: "Points a second" }) as HTMLInputElement;
const save = async () => userEvent.click((await form()).getByRole("button", { name: /^Save/ }));

test("limits follow others until something is typed, which then stays until the newest is wanted", async () => {
  const stored = place();
  const tags: (string | null)[] = [];
  answer("put", `${HERE}/quotas`, ({ headers }) => {
    tags.push(headers.get("If-Match"));
    return problem(412, { code: "precondition_failed", detail: "The object has changed." });
  });
  openPage(LimitsPage, "settings/limits");
  await points();
  stored.set("production", { points: 70, version: 2 });
  await seenAgain();
  await waitFor(async () => expect((await points()).value).toBe("70"));
  await userEvent.type(await points(), "5");
  stored.set("production", { points: 80, version: 3 });
  await save();
  await screen.findByText(/Somebody changed this meanwhile/);
  expect((await points()).value).toBe("705");
  expect(tags).toEqual(['"2"']);
  await userEvent.click(screen.getByRole("button", { name: /Read the newest version/ }));
  expect((await points()).value).toBe("80");
  expect(screen.queryByText(/Somebody changed this meanwhile|The object has changed/)).toBeNull();
});

test("a limit is saved, says so, and keeps what was typed meanwhile", async () => {
  const stored = place();
  let finish = () => {};
  const sent: unknown[] = [];
  answer("put", `${HERE}/quotas`, async ({ body, headers }) => {
    sent.push([headers.get("If-Match"), body]);
    if (sent.length === 1) await new Promise<void>((resolve) => (finish = resolve));
    const next = { points: (body as Schemas["QuotasDraft"]).points_per_second ?? 0, version: sent.length + 1 };
    stored.set("production", next);
    return versioned(quotas(next.points) as never, next.version);
  });
  openPage(LimitsPage, "settings/limits");
  await userEvent.type(await points(), "5");
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  await userEvent.type(await points(), "0");
  finish();
  await screen.findByText("In force: 5");
  expect((await points()).value).toBe("50");
  expect(screen.queryByText("Saved.")).toBeNull();
  await save();
  await screen.findByText("Saved.");
  await seenAgain();
  expect(screen.getByText("Saved.")).toBeTruthy();
  expect((await points()).value).toBe("50");
  expect(sent).toEqual([
    ['"1"', { points_per_second: 5 }],
    ['"2"', { points_per_second: 50 }],
  ]);
});

test("limits of another environment do not begin with what was typed here", async () => {
  const stored = place();
  stored.set("test", { points: 9, version: 1 });
  const { client, go } = openPage(LimitsPage, "settings/limits");
  await userEvent.type(await points(), "5");
  client.setQueryData(["org-a", "test", "quotas"], { data: quotas(9), etag: '"1"' });
  await go("/o/org-a/e/test/settings/limits");
  expect((await points()).value).toBe("9");
});
