import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/queries";
import { openPage } from "../../testing/page";
import { answer, problem, signedIn, versioned } from "../../testing/server";
import { IncidentPage } from "./incident-page";
import { RulePage } from "./rule-page";
import { RulesPage } from "./rules-page";

const RULES = "/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules";
const RULE = "/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules/{alert_rule_id}";
const INCIDENT = "/api/v1/organizations/{organization_id}/environments/{environment_id}/incidents/{incident_id}";

const rule: Schemas["AlertRule"] = {
  id: "rule-1",
  name: "Queue",
  description: "",
  enabled: true,
  severity: "warning",
  condition: { metric: "queue", operator: "gt", threshold: 100 },
  labels: {},
  annotations: {},
  version: 3,
  effective_from: "2026-11-01T00:00:00Z",
  created_at: "2026-11-01T00:00:00Z",
  updated_at: "2026-11-01T00:00:00Z",
  state: "firing",
  groups: [{ group: { "metric.topic": "<i>a</i>" }, state: "firing", since: "2026-11-01T00:00:00Z", decided_minute: "2026-11-01T00:00:00Z", value: 120 }],
};

function place(permissions = ["alerts:read", "alerts:write"]) {
  signedIn(permissions);
  answer("get", "/api/v1/organizations/{organization_id}/environments/{environment_id}/metrics", { data: [], meta: {} });
}

test("a rule that lacks something tells all of it at its fields, and goes to the first", async () => {
  place();
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/new");
  await userEvent.click(await screen.findByRole("button", { name: "Create rule" }));
  expect(screen.getByText("1 to 120 characters.")).toBeTruthy();
  expect(screen.getByText("Choose a metric.")).toBeTruthy();
  expect(screen.getByText("A number is needed.")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Name" })));
});

test("a rule from the Explorer's metric is made with what the form says", async () => {
  place();
  answer("get", RULE, () => versioned(rule, 1));
  let sent: unknown;
  answer("post", RULES, ({ body, headers }) => {
    expect(headers.get("Idempotency-Key")).toBeTruthy();
    sent = body;
    return versioned(rule, 1);
  });
  const { address } = openPage(RulePage, "alerts/rules/$rule", "alerts/rules/new?metric=queue");
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox", { name: "Name" }), "Queue");
  await user.type(screen.getByRole("textbox", { name: "Threshold" }), "100");
  expect(screen.getByText("Average of queue over 5 min above 100.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Create rule" }));
  await waitFor(() => expect(address()).toContain("/alerts/rules/rule-1"));
  expect(sent).toMatchObject({ name: "Queue", severity: "warning", enabled: true, condition: { kind: "threshold", metric: "queue", aggregation: "avg", operator: "gt", threshold: 100, window_minutes: 5 } });
});

test("what the server finds wrong is told and nothing typed is lost", async () => {
  place();
  answer("get", RULE, () => versioned(rule, 3));
  answer("put", RULE, () => problem(412, { code: "precondition_failed", title: "Changed meanwhile", detail: "The object has changed." }));
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1");
  const name = await screen.findByRole("textbox", { name: "Name" });
  await userEvent.type(name, " grows");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("The object has changed.");
  expect((screen.getByRole("textbox", { name: "Name" }) as HTMLInputElement).value).toBe("Queue grows");
});

test("rules come with those that fire first, and are disabled for the version that is shown", async () => {
  place();
  const quiet = { ...rule, id: "rule-2", name: "A quiet one", state: "normal" as const, groups: [] };
  answer("get", RULES, { data: [quiet, rule], meta: {} });
  let tag: string | null = null;
  let sent: Schemas["AlertRuleDraft"] | undefined;
  answer("put", RULE, ({ body, headers }) => {
    tag = headers.get("If-Match");
    sent = body as Schemas["AlertRuleDraft"];
    return versioned({ ...rule, enabled: false }, 4);
  });
  openPage(RulesPage, "alerts/rules");
  const rows = await screen.findAllByRole("row");
  expect(within(rows[1] as HTMLElement).getByRole("link").textContent).toBe("Queue");
  await userEvent.click(within(rows[1] as HTMLElement).getByRole("button", { name: "Disable Queue" }));
  await waitFor(() => expect(sent?.enabled).toBe(false));
  expect(tag).toBe('"3"');
});

test("an incident shows its timeline harmlessly and is acknowledged", async () => {
  place();
  let acknowledged = false;
  const incident = (): Schemas["Incident"] => ({
    id: "inc-1",
    rule_id: "rule-1",
    rule_name: "Queue \u202e<script>",
    severity: "critical",
    state: "open",
    alert_state: "firing",
    group: {},
    labels: {},
    annotations: {},
    started_at: "2026-11-01T00:00:00Z",
    opened_at: "2026-11-01T00:02:00Z",
    version: 1,
    ...(acknowledged ? { acknowledged_by: "per-1", acknowledged_at: "2026-11-01T00:05:00Z" } : {}),
    runbook_url: "javascript:alert(1)",
    timeline: [{ at: "2026-11-01T00:02:00Z", kind: "fired", state: "firing", minute: "2026-11-01T00:00:00Z", value: 120 }],
  });
  answer("get", INCIDENT, () => versioned(incident() as never, 1));
  answer("post", "/api/v1/organizations/{organization_id}/environments/{environment_id}/incidents/{incident_id}/acknowledge", () => {
    acknowledged = true;
    return versioned(incident() as never, 2);
  });
  openPage(IncidentPage, "alerts/incidents/$incident", "alerts/incidents/inc-1");
  await screen.findByText("Fired");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Queue \\u202e<script>");
  expect(screen.queryByRole("link", { name: "Runbook" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Acknowledge" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Acknowledge" })).toBeNull());
});

test("who may not see alerts is told who can grant it", async () => {
  place([]);
  openPage(RulesPage, "alerts/rules");
  await screen.findByText("alerts:read");
});

test("a condition is tried before the rule has a name, and what is shown is of the condition that was tried", async () => {
  place(["alerts:read", "alerts:write", "metrics:read"]);
  const asked: unknown[] = [];
  answer("post", "/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules/preview", ({ body }) => {
    asked.push(body);
    return {
      from: "2026-11-01T00:00:00Z",
      until: "2026-11-01T00:10:00Z",
      first_row_minute: "2026-11-01T00:00:00Z",
      step_minutes: 5,
      decided_minutes: 10,
      groups_total: 1,
      groups: [{ group: { "metric.topic": "<i>a</i>" }, incidents: 1, firing_minutes: 4, no_data_minutes: 0, points: [{ at: "2026-11-01T00:05:00Z", value: 120, state: "firing" }] }],
      incidents_total: 1,
      revised_incidents: 1,
      incidents: [{ group: { "metric.topic": "<i>a</i>" }, started_at: "2026-11-01T00:05:00Z", value: 120, is_revised: true }],
    };
  });
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/new?metric=queue");
  const user = userEvent.setup();
  const button = await screen.findByRole("button", { name: "See when it would have fired" });
  expect((button as HTMLButtonElement).disabled).toBe(true);
  await user.type(screen.getByRole("textbox", { name: "Threshold" }), "100");
  await user.click(button);
  expect(await screen.findByText("still open")).toBeTruthy();
  expect(screen.getByText("may have been corrected")).toBeTruthy();
  expect(asked).toMatchObject([{ days: 1, condition: { metric: "queue", threshold: 100 } }]);
  await user.type(screen.getByRole("textbox", { name: "Threshold" }), "5");
  expect(screen.getByText(/The condition was changed since/)).toBeTruthy();
});

test("a preview without rows says so", async () => {
  place(["alerts:read", "alerts:write", "metrics:read"]);
  answer("post", "/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules/preview", () => ({ from: "2026-11-01T00:00:00Z", until: "2026-11-02T00:00:00Z", step_minutes: 6, decided_minutes: 0, groups_total: 0, groups: [], incidents_total: 0, revised_incidents: 0, incidents: [] }));
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/new?metric=queue");
  const user = userEvent.setup();
  await user.type(await screen.findByRole("textbox", { name: "Threshold" }), "100");
  await user.click(screen.getByRole("button", { name: "See when it would have fired" }));
  expect(await screen.findByText(/It would never have fired/)).toBeTruthy();
});

test("a rule says how far it is decided, and why no further", async () => {
  place();
  answer("get", RULE, () => versioned({ ...rule, evaluation: { is_blind: false, groups: {}, decided_until: "2026-11-01T00:05:00Z", groups_seen: 0 } }, 3));
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1");
  expect(await screen.findByText(/of no group: no row fits it/)).toBeTruthy();
});

test("a rule that is blind says why", async () => {
  place();
  answer("get", RULE, () => versioned({ ...rule, evaluation: { is_blind: true, groups: {}, reason: "The alert job stands." } }, 3));
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1");
  expect(await screen.findByText(/The alert job stands/)).toBeTruthy();
});
