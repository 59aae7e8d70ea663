import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { Schemas } from "../../api/queries";
import { openPage, seenAgain } from "../../testing/page";
import { answer, problem, signedIn, versioned } from "../../testing/server";
import { IncidentPage } from "./incident-page";
import { InhibitionsPage } from "./inhibitions-page";
import { PacksPage } from "./packs-page";
import { RulePage } from "./rule-page";
import { RulesPage } from "./rules-page";
import { SilencesPage } from "./silences-page";

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

test("what is typed stays when somebody else saves meanwhile, until the newest version is wanted", async () => {
  place();
  let newest: Schemas["AlertRule"] = rule;
  answer("get", RULE, () => versioned(newest, newest.version));
  let tag: string | null = null;
  answer("put", RULE, ({ headers }) => {
    tag = headers.get("If-Match");
    return problem(412, { code: "precondition_failed", title: "Changed meanwhile", detail: "The object has changed." });
  });
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1");
  await userEvent.type(await screen.findByRole("textbox", { name: "Name" }), " grows");
  newest = { ...rule, name: "Other", version: 4 };
  await seenAgain();
  await screen.findByText(/Somebody changed this meanwhile/);
  const name = () => screen.getByRole("textbox", { name: "Name" }) as HTMLInputElement;
  expect(name().value).toBe("Queue grows");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("The object has changed.");
  expect(tag).toBe('"3"');
  await userEvent.click(screen.getByRole("button", { name: /Read the newest version/ }));
  expect(name().value).toBe("Other");
  expect(screen.queryByText(/Somebody changed this meanwhile|The object has changed/)).toBeNull();
});

test("a rule that is read again while its deletion is asked is deleted as it was read", async () => {
  place();
  let version = 3;
  answer("get", RULE, () => versioned({ ...rule, version }, version));
  let tag: string | null = null;
  answer("delete", RULE, ({ headers }) => {
    tag = headers.get("If-Match");
    return new Response(null, { status: 204 });
  });
  let saves = 0;
  answer("put", RULE, () => {
    saves++;
    return versioned(rule, 5);
  });
  const page = openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1");
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  version = 4;
  await seenAgain();
  await screen.findByText(/Version 4 decides/);
  await userEvent.click(screen.getByRole("button", { name: "Delete rule" }));
  await waitFor(() => expect(page.address()).toMatch(/alerts\/rules$/));
  expect(tag).toBe('"4"');
  expect(saves).toBe(0);
});

test("the page of a rule that was disabled in the list begins with that version", async () => {
  place();
  answer("get", RULES, { data: [rule], meta: {} });
  answer("put", RULE, () => versioned({ ...rule, enabled: false, version: 4 }, 4));
  const { client } = openPage(RulesPage, "alerts/rules");
  client.setQueryData(["org-a", "production", "alert-rule", "rule-1"], { data: rule, etag: '"3"' });
  await userEvent.click(await screen.findByRole("button", { name: "Disable Queue" }));
  await waitFor(() => expect(client.getQueryData(["org-a", "production", "alert-rule", "rule-1"])).toMatchObject({ etag: '"4"' }));
});

test("a rule that was disabled in the list is deleted as that version, before its page is read again", async () => {
  place();
  answer("get", RULES, { data: [rule], meta: {} });
  answer("get", RULE, () => versioned(rule, 3));
  answer("put", RULE, () => versioned({ ...rule, enabled: false, version: 4 }, 4));
  let tag: string | null = null;
  answer("delete", RULE, ({ headers }) => {
    tag = headers.get("If-Match");
    return new Response(null, { status: 204 });
  });
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1", { "alerts/rules": RulesPage });
  await screen.findByRole("button", { name: "Delete" });
  await userEvent.click(screen.getByRole("link", { name: "Rules" }));
  await userEvent.click(await screen.findByRole("button", { name: "Disable Queue" }));
  await waitFor(() => expect((screen.getByRole("button", { name: "Disable Queue" }) as HTMLButtonElement).disabled).toBe(false));
  answer("get", RULE, () => new Promise<Response>(() => {}));
  await userEvent.click(screen.getByRole("link", { name: "Queue" }));
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await userEvent.click(screen.getByRole("button", { name: "Delete rule" }));
  await waitFor(() => expect(tag).toBe('"4"'));
});

test("a rule that was saved on its page is disabled in the list as that version, before the list is read again", async () => {
  place();
  answer("get", RULE, () => versioned(rule, 3));
  const tags: (string | null)[] = [];
  answer("put", RULE, ({ headers }) => {
    tags.push(headers.get("If-Match"));
    return versioned({ ...rule, version: 4 }, 4);
  });
  const { client } = openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1", { "alerts/rules": RulesPage });
  client.setQueryData(["org-a", "production", "alert-rules"], [rule]);
  answer("get", RULES, () => new Promise<Response>(() => {}));
  await userEvent.type(await screen.findByLabelText(/^Name/), "s");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(tags).toEqual(['"3"']));
  await userEvent.click(screen.getByRole("link", { name: "Rules" }));
  await userEvent.click(await screen.findByRole("button", { name: "Disable Queue" }));
  await waitFor(() => expect(tags).toEqual(['"3"', '"4"']));
});

test("a rule says that it was saved, and what was typed meanwhile stays", async () => {
  place();
  let newest: Schemas["AlertRule"] = rule;
  let finish = () => {};
  answer("get", RULE, () => versioned(newest, newest.version));
  const tags: (string | null)[] = [];
  answer("put", RULE, async ({ body, headers }) => {
    tags.push(headers.get("If-Match"));
    if (tags.length === 1) await new Promise<void>((resolve) => (finish = resolve));
    newest = { ...rule, name: (body as Schemas["AlertRuleDraft"]).name, version: newest.version + 1 };
    return versioned(newest, newest.version);
  });
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1");
  const name = (await screen.findByRole("textbox", { name: "Name" })) as HTMLInputElement;
  await userEvent.type(name, " grows");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(tags).toHaveLength(1));
  await userEvent.type(name, " fast");
  finish();
  await screen.findByText(/Version 4 decides/);
  expect(name.value).toBe("Queue grows fast");
  expect(screen.queryByText("Saved.")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Saved.");
  await seenAgain();
  expect(screen.getByText("Saved.")).toBeTruthy();
  expect(tags).toEqual(['"3"', '"4"']);
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
      groups: [{ group: { "metric.topic": "<i>a</i>" }, incidents: 1, firing_minutes: 4, no_data_minutes: 0, points: [{ at: "2026-11-01T00:05:00Z", value: 120, state: "firing" as const }] }],
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

test("a rule that no row fits says what to look at", async () => {
  place();
  answer("get", RULE, () => versioned({ ...rule, evaluation: { is_blind: false, groups: {}, decided_until: "2026-11-01T00:05:00Z", groups_seen: 0, reason: "No row came that condition.metric fits." } }, 3));
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1");
  expect(await screen.findByText(/No row came that condition.metric fits/)).toBeTruthy();
});

test("a rule that is blind says why", async () => {
  place();
  answer("get", RULE, () => versioned({ ...rule, evaluation: { is_blind: true, groups: {}, reason: "The alert job stands." } }, 3));
  openPage(RulePage, "alerts/rules/$rule", "alerts/rules/rule-1");
  expect(await screen.findByText(/The alert job stands/)).toBeTruthy();
});

const PLACE = "/api/v1/organizations/{organization_id}/environments/{environment_id}";
const silence: Schemas["Silence"] = { id: "sil-1", comment: "Patches <b>", matchers: [{ label: "metric.topic", operator: "eq", value: "\u202eevil" }], starts_at: "2026-11-01T21:00:00Z", ends_at: "2026-11-01T23:00:00Z", repeat: { every: "week", time_zone: "Europe/Berlin" }, state: "waiting", created_by: "per-1", version: 2, created_at: "2026-11-01T00:00:00Z", updated_at: "2026-11-01T00:00:00Z" };

test("a silence is made from an incident's labels, and its faults are told before it is sent", async () => {
  place();
  answer("get", `${PLACE}/silences`, { data: [silence], meta: {} });
  let sent: Schemas["SilenceDraft"] | undefined;
  answer("post", `${PLACE}/silences`, ({ body, headers }) => {
    expect(headers.get("Idempotency-Key")).toBeTruthy();
    sent = body as Schemas["SilenceDraft"];
    return versioned(silence, 1);
  });
  openPage(SilencesPage, "alerts/silences", `alerts/silences?tz=utc&new=${encodeURIComponent('[["rule_id","rule-1"],["metric.topic","a"]]')}`);
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Create silence" }));
  expect(dialog.getByText(/Say why/)).toBeTruthy();
  expect(sent).toBeUndefined();
  await userEvent.type(dialog.getByRole("textbox", { name: "Why" }), "We know");
  await userEvent.click(dialog.getByRole("button", { name: "Create silence" }));
  await waitFor(() => expect(sent).toBeTruthy());
  expect(sent?.matchers).toEqual([
    { label: "rule_id", operator: "eq", value: "rule-1" },
    { label: "metric.topic", operator: "eq", value: "a" },
  ]);
  expect(Date.parse(sent?.ends_at ?? "") - Date.parse(sent?.starts_at ?? "")).toBe(7_200_000);
});

test("a maintenance window is listed harmlessly and ended for its version", async () => {
  place();
  answer("get", `${PLACE}/silences`, { data: [silence], meta: {} });
  let tag: string | null = null;
  answer("delete", `${PLACE}/silences/{silence_id}`, ({ headers }) => {
    tag = headers.get("If-Match");
    return new Response(null, { status: 204 });
  });
  openPage(SilencesPage, "alerts/silences");
  const windows = within(await screen.findByRole("region", { name: "Maintenance windows" }));
  expect(windows.getByText(/\\u202eevil/)).toBeTruthy();
  expect(windows.getByText(/every week, by clocks of Europe\/Berlin/)).toBeTruthy();
  await userEvent.click(windows.getByRole("button", { name: "End the silence Patches <b>" }));
  await userEvent.click(await screen.findByRole("button", { name: "End silence" }));
  await waitFor(() => expect(tag).toBe('"2"'));
});

test("a pack is enabled and shows its rules with their runbooks", async () => {
  place();
  const pack = (enabled: boolean): Schemas["AlertPack"] => ({ id: "kafka", version: 2, title: "Kafka", description: "Brokers.", rules: [{ key: "lag", name: "Lag grows", severity: "warning", kind: "threshold", metric: "kafka.lag", summary: "A group falls behind.", runbook: "kafka.md#lag", is_changed: false, ...(enabled ? { alert_rule_id: "rule-9" } : {}) }], ...(enabled ? { enabled_version: 2, enabled_at: "2026-11-01T00:00:00Z", enabled_by: "per-1" } : {}) });
  let enabled = false;
  answer("get", `${PLACE}/alert-packs`, () => ({ data: [pack(enabled)] }));
  answer("put", `${PLACE}/alert-packs/{alert_pack_id}`, () => {
    enabled = true;
    return pack(true);
  });
  const { client } = openPage(PacksPage, "alerts/packs");
  client.setQueryData(["org-a", "production", "alert-rule", "rule-9"], { data: rule, etag: '"1"' });
  await userEvent.click(await screen.findByRole("button", { name: "Enable Kafka" }));
  await screen.findByText("enabled");
  expect(client.getQueryData(["org-a", "production", "alert-rule", "rule-9"]), "an older version of a rule of the pack").toBeUndefined();
  expect(screen.getByText("docs/runbooks/kafka.md#lag")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Lag grows", hidden: true }).getAttribute("href")).toContain("/alerts/rules/rule-9");
});

test("an inhibition needs both sides", async () => {
  place();
  answer("get", `${PLACE}/inhibitions`, { data: [], meta: {} });
  openPage(InhibitionsPage, "alerts/inhibitions");
  await userEvent.click(await screen.findByRole("button", { name: "New inhibition" }));
  await userEvent.click(await screen.findByRole("button", { name: "Create inhibition" }));
  expect(screen.getAllByText("Choose at least one label.")).toHaveLength(2);
});
