import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/queries";
import { openPage, seenAgain } from "../../testing/page";
import { answer, problem, signedIn, versioned } from "../../testing/server";
import { IntegrationPage } from "./integration-page";
import { groupingTexts, integrationOf, IntegrationsPage, type IntegrationForm } from "./integrations-page";

const form: IntegrationForm = { name: "Team", kind: "slack", url: "https://example.org/", routingKey: "", heartbeat: "", ...groupingTexts(undefined), severities: [], labels: "" };

test("nothing is said of grouping unless somebody fills it", () => {
  expect(integrationOf(form, true)).not.toHaveProperty("group_messages");
  expect(integrationOf({ ...form, kind: "pagerduty", groupMost: "9" }, true)).not.toHaveProperty("group_messages");
});

test("what is filled is sent, and shown again as it was", () => {
  const sent = integrationOf({ ...form, groupBy: " rule_id,labels.team, ", groupWait: "0", groupMost: "20" }, true)?.group_messages;
  expect(sent).toEqual({ by: ["rule_id", "labels.team"], wait_seconds: 0, max_transitions: 20 });
  expect(groupingTexts(sent)).toEqual({ groupBy: "rule_id, labels.team", groupWait: "0", groupMost: "20" });
});

test.each([{ groupWait: "301" }, { groupWait: "x" }, { groupMost: "0" }, { groupMost: "1.5" }])("%o is not sent", (part) => {
  expect(integrationOf({ ...form, ...part }, true)).toBeUndefined();
});

test("the form has grouping for those that people read", async () => {
  signedIn(["integrations:read", "integrations:write"]);
  answer("get", "/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations", { data: [], meta: {} });
  openPage(IntegrationsPage, "alerts/integrations");
  await userEvent.click(await screen.findByRole("button", { name: "New integration" }));
  const most = await screen.findByLabelText("Most transitions in a message");
  await userEvent.type(most, "200");
  expect(await screen.findByText("A whole number, 1 to 100.")).toBeTruthy();
});

const INTEGRATION = "/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}";
const integration: Schemas["Integration"] = { id: "int-1", name: "Team", kind: "webhook", url: "https://example.org/", severities: [], labels: {}, enabled: true, version: 1, created_at: "2026-11-01T00:00:00Z", updated_at: "2026-11-01T00:00:00Z" };

test("a secret that is shown once stays shown when the person comes back from elsewhere", async () => {
  signedIn(["integrations:read", "integrations:write"]);
  let newest = integration;
  answer("get", INTEGRATION, ({ address }) => versioned({ ...newest, id: address.pathname.split("/").at(-1) ?? "" }, newest.version));
  answer("get", `${INTEGRATION}/deliveries`, { data: [], meta: {} });
  answer("post", `${INTEGRATION}/rotate-secret`, () => {
    newest = { ...integration, version: 2, old_secret_until: "2026-11-02T00:00:00Z" };
    return { integration: newest, secret: "whsec_new" };
  });
  const { client, go } = openPage(IntegrationPage, "alerts/integrations/$integration", "alerts/integrations/int-1");
  await userEvent.click(await screen.findByRole("button", { name: "Replace the secret" }));
  await screen.findByText("whsec_new");
  await seenAgain();
  await screen.findByText(/Signed with the old secret too/);
  expect(screen.getByText("whsec_new")).toBeTruthy();
  client.setQueryData(["org-a", "production", "integration", "int-2"], { data: { ...integration, id: "int-2", name: "Others" }, etag: '"1"' });
  await go("/o/org-a/e/production/alerts/integrations/int-2");
  expect(screen.queryByText("whsec_new"), "on the page of another integration").toBeNull();
});

test("a change of an integration begins with the newest version, and is saved for the version that it began with", async () => {
  signedIn(["integrations:read", "integrations:write"]);
  let newest = integration;
  answer("get", INTEGRATION, () => versioned(newest, newest.version));
  answer("get", `${INTEGRATION}/deliveries`, { data: [], meta: {} });
  const tags: (string | null)[] = [];
  answer("put", INTEGRATION, ({ headers }) => {
    tags.push(headers.get("If-Match"));
    return problem(412, { code: "precondition_failed", detail: "The object has changed." });
  });
  openPage(IntegrationPage, "alerts/integrations/$integration", "alerts/integrations/int-1");
  await screen.findByText("https://example.org/");
  newest = { ...integration, url: "https://example.net/", version: 2 };
  await seenAgain();
  await screen.findByText("https://example.net/");
  await userEvent.click(screen.getByRole("button", { name: "Change" }));
  const dialog = within(await screen.findByRole("dialog"));
  const input = (name: string) => dialog.getByRole("textbox", { name }) as HTMLInputElement;
  expect(input("Address").value).toBe("https://example.net/");
  await userEvent.type(input("Name"), " A");
  newest = { ...integration, url: "https://example.com/", version: 3 };
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.findByText(/Somebody changed this meanwhile/);
  expect(input("Name").value).toBe("Team A");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(tags).toEqual(['"2"', '"2"']));
  await userEvent.click(dialog.getByRole("button", { name: /Read the newest version/ }));
  expect(input("Address").value).toBe("https://example.com/");
  expect(input("Name").value).toBe("Team");
});

test("an integration that was changed meanwhile is deleted at the second try", async () => {
  signedIn(["integrations:read", "integrations:write"]);
  let version = 1;
  answer("get", INTEGRATION, () => versioned({ ...integration, version }, version));
  answer("get", `${INTEGRATION}/deliveries`, { data: [], meta: {} });
  const tags: (string | null)[] = [];
  answer("delete", INTEGRATION, ({ headers }) => {
    tags.push(headers.get("If-Match"));
    return headers.get("If-Match") === `"${version}"` ? new Response(null, { status: 204 }) : problem(412, { code: "precondition_failed", detail: "The object has changed." });
  });
  const page = openPage(IntegrationPage, "alerts/integrations/$integration", "alerts/integrations/int-1");
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await userEvent.type(await screen.findByRole("textbox", { name: /Type Team/ }), "Team");
  version = 2;
  await userEvent.click(screen.getByRole("button", { name: "Delete integration" }));
  await screen.findByText("The object has changed.");
  await userEvent.click(screen.getByRole("button", { name: "Delete integration" }));
  await waitFor(() => expect(page.address()).toMatch(/alerts\/integrations$/));
  expect(tags).toEqual(['"1"', '"2"']);
});
