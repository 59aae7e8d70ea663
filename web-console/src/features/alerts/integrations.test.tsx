import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage, seenAgain } from "../../testing/page";
import { answer, signedIn, versioned } from "../../testing/server";
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

test("a secret that is shown once stays shown when the person comes back from elsewhere", async () => {
  signedIn(["integrations:read", "integrations:write"]);
  const INTEGRATION = "/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}";
  let version = 1;
  answer("get", INTEGRATION, () => versioned({ id: "int-1", name: "Team", kind: "webhook", url: "https://example.org/", severities: [], labels: {}, enabled: true, version, ...(version > 1 ? { old_secret_until: "2026-11-02T00:00:00Z" } : {}) } as never, version));
  answer("get", `${INTEGRATION}/deliveries`, { data: [], meta: {} });
  answer("post", `${INTEGRATION}/rotate-secret`, () => {
    version = 2;
    return { id: "int-1", secret: "whsec_new" } as never;
  });
  openPage(IntegrationPage, "alerts/integrations/$integration", "alerts/integrations/int-1");
  await userEvent.click(await screen.findByRole("button", { name: "Replace the secret" }));
  await screen.findByText("whsec_new");
  await seenAgain();
  await screen.findByText(/Signed with the old secret too/);
  expect(screen.getByText("whsec_new")).toBeTruthy();
});
