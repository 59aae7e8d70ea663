import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage } from "../../testing/page";
import { answer, signedIn } from "../../testing/server";
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
