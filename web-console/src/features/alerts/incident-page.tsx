import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { incidentQuery } from "../../api/alert-queries";
import { peopleQuery } from "../../api/dashboard-queries";
import { body, control } from "../../api/client";
import { Problem } from "../../api/problem";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { groupText, STATE_NAMES } from "../../lib/alert";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { duration, exactFigure, shortFigure } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";
import { EarlyBadge, IncidentBadge, SeverityBadge, StateBadge } from "./badges";

const EVENTS: Record<Schemas["IncidentEventKind"], string> = {
  fired: "Fired",
  changed: "Changed",
  corrected: "Corrected by late data",
  resolved: "Resolved",
  retracted: "Retracted: late data say that it was not",
  acknowledged: "Acknowledged",
  commented: "Comment",
  assigned: "Assigned",
  unsuppressed: "No silence holds it back any more",
};

/** One incident: what decided it, what happened since, who works on it. */
export function IncidentPage() {
  const { organization, environment } = useScope();
  const { incident: id = "" } = useParams({ strict: false }) as { incident?: string };
  const mayRead = useAllowed("alerts:read");
  const query = useQuery({ ...incidentQuery(organization, environment, id), enabled: mayRead === true });
  const missing = query.error instanceof Problem && query.error.status === 404;
  return (
    <>
      <PageHead title={query.data ? displayed(query.data.data.rule_name, 80) : "Incident"} />
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? (
          <Forbidden permission="alerts:read" what="see incidents" />
        ) : missing ? (
          <Empty title="There is no such incident">
            <Link to={"/o/$org/e/$env/alerts" as string} params={{ org: organization, env: environment } as never}>
              All incidents
            </Link>
          </Empty>
        ) : (
          <Loaded query={query}>{({ data, etag }) => <Incident incident={data} etag={etag} />}</Loaded>
        )}
      </div>
    </>
  );
}

function Incident({ incident, etag }: { incident: Schemas["Incident"]; etag: string }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const now = useNow();
  const people = useQuery({ ...peopleQuery(organization), enabled: useAllowed("members:read") === true });
  const nameOf = (actor: string) => displayed(people.data?.get(actor.replace(/^person[ :/]/, "")) ?? actor, 60);
  const mayWrite = useAllowed("alerts:write") === true;
  const place = { org: organization, env: environment };
  const from = new Date(Date.parse(incident.started_at) - 30 * 60_000).toISOString();
  const labels = Object.entries({ ...incident.labels });
  return (
    <div className="stack wide">
      <div className="row">
        <IncidentBadge state={incident.state} />
        <EarlyBadge incident={incident} />
        <SeverityBadge severity={incident.severity} />
        {incident.state === "open" && <StateBadge state={incident.alert_state} />}
        {incident.suppressed_by && <span className="badge warn">nobody is told: {displayed(incident.suppressed_by, 80)}</span>}
        <span className="mono small break">{displayed(groupText(incident.group), 200)}</span>
      </div>
      <dl className="stats">
        <div className="stat">
          <dt>Since (time of the data)</dt>
          <dd>{formatTime(incident.started_at, zone, "minute")}</dd>
        </div>
        <div className="stat">
          <dt>{incident.ended_at ? "Lasted" : "Lasts for"}</dt>
          <dd>{duration(Math.max(0, ((incident.ended_at ? Date.parse(incident.ended_at) : now) - Date.parse(incident.started_at)) / 1000))}</dd>
        </div>
        <div className="stat">
          <dt>Value, against</dt>
          <dd title={exactFigure(incident.value ?? null)}>
            {shortFigure(incident.value ?? null)} <span className="small quiet">{shortFigure(incident.threshold ?? null)}</span>
          </dd>
        </div>
        <div className="stat">
          <dt>Who works on it</dt>
          <dd className="break">{incident.assigned_to ? displayed(incident.assigned_to, 40) : incident.acknowledged_by ? nameOf(incident.acknowledged_by) : "nobody yet"}</dd>
        </div>
      </dl>
      <div className="row">
        <Link to={"/o/$org/e/$env/alerts/rules/$rule" as string} params={{ ...place, rule: incident.rule_id } as never}>
          The rule
        </Link>
        <Link to={"/o/$org/e/$env/alerts" as string} params={place as never} search={{ rule: incident.rule_id, state: "all" } as never}>
          Other incidents of the rule
        </Link>
        <RuleMetric incident={incident} from={from} />
        {mayWrite && incident.state === "open" && (
          <Link to={"/o/$org/e/$env/alerts/silences" as string} params={place as never} search={{ new: [["rule_id", incident.rule_id], ...Object.entries(incident.group)] } as never}>
            Silence it
          </Link>
        )}
        {incident.runbook_url && /^https?:\/\//.test(incident.runbook_url) && (
          <a href={incident.runbook_url} rel="noreferrer" target="_blank">
            Runbook
          </a>
        )}
      </div>
      {Object.entries(incident.annotations).map(([name, text]) => (
        <p key={name} className="break">
          <span className="quiet">{displayed(name, 60)}:</span> {displayed(text, 1000)}
        </p>
      ))}
      {labels.length > 0 && (
        <div className="row">
          {labels.map(([name, value]) => (
            <span key={name} className="badge">
              {displayed(name, 40)}={displayed(value, 60)}
            </span>
          ))}
        </div>
      )}
      {mayWrite && <Actions incident={incident} etag={etag} />}
      <section className="stack" aria-label="Timeline">
        <h2>Timeline</h2>
        <ol className="plain-row">
          {(incident.timeline ?? []).map((event, index) => (
            <li key={index} className="timeline">
              <span className="figure small quiet nowrap">{formatTime(event.at, zone)}</span>
              <div className="stack tight">
                <span>
                  <strong>{EVENTS[event.kind]}</strong>
                  {event.actor && <span className="quiet"> by {nameOf(event.actor)}</span>}
                  {event.state && event.kind === "changed" && <span> to {STATE_NAMES[event.state]}</span>}
                </span>
                {event.minute && (
                  <span className="small quiet">
                    Minute {formatTime(event.minute, zone, "minute")}
                    {event.value !== undefined && `, value ${shortFigure(event.value)}`}
                    {event.complete_until && `, rows complete until ${formatTime(event.complete_until, zone)}`}
                    {event.rule_version !== undefined && `, version ${event.rule_version} of the rule`}
                  </span>
                )}
                {event.text && <span className="panel-text">{displayed(event.text.replaceAll("\n", " ⏎ "), 4000)}</span>}
              </div>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

function RuleMetric({ incident, from }: { incident: Schemas["Incident"]; from: string }) {
  const { organization, environment } = useScope();
  const where = Object.entries(incident.group)
    .filter(([name]) => /^(metric|resource)\./.test(name))
    .map(([name, value]) => [name, "=", value]);
  const metric = incident.labels["metric"] ?? incident.annotations["metric"];
  if (!metric) return null;
  return (
    <Link to={"/o/$org/e/$env/explorer" as string} params={{ org: organization, env: environment } as never} search={{ metric, where, from, to: "now" } as never}>
      In the Explorer
    </Link>
  );
}

function Actions({ incident, etag }: { incident: Schemas["Incident"]; etag: string }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [to, setTo] = useState(incident.assigned_to ?? "");
  const path = { organization_id: organization, environment_id: environment, incident_id: incident.id };
  const again = async () => {
    await client.invalidateQueries({ queryKey: [organization, environment, "incident", incident.id] });
    await client.invalidateQueries({ queryKey: [organization, environment, "incidents"] });
  };
  const acknowledge = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/incidents/{incident_id}/acknowledge", { params: { path, header: { "If-Match": etag } } })),
    onSuccess: again,
    onError: again,
  });
  const assign = useMutation({
    mutationFn: () =>
      body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/incidents/{incident_id}/assign", { params: { path }, body: to.trim() === "" ? {} : { to: to.trim() } })),
    onSuccess: again,
  });
  const comment = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/incidents/{incident_id}/comments", { params: { path }, body: { text: text.trim() } })),
    onSuccess: async () => {
      setText("");
      await again();
    },
  });
  return (
    <section className="stack" aria-label="Work on it">
      <div className="row end">
        {incident.state === "open" && !incident.acknowledged_at && (
          <Button loading={acknowledge.isPending} onClick={() => acknowledge.mutate()}>
            Acknowledge
          </Button>
        )}
        <TextInput label="Who is responsible" maxLength={120} w={240} value={to} onChange={(event) => setTo(event.currentTarget.value)} />
        <Button variant="default" loading={assign.isPending} disabled={to.trim() === (incident.assigned_to ?? "")} onClick={() => assign.mutate()}>
          Assign
        </Button>
      </div>
      {acknowledge.error && <Failure fault={acknowledge.error} />}
      {assign.error && <Failure fault={assign.error} />}
      <form
        className="stack tight"
        onSubmit={(event) => {
          event.preventDefault();
          comment.mutate();
        }}
      >
        <Textarea label="Comment" description="It stays in the timeline and cannot be taken back." maxLength={4000} rows={2} maw={640} value={text} onChange={(event) => setText(event.currentTarget.value)} />
        {comment.error && <Failure fault={comment.error} />}
        <Button type="submit" variant="default" w="fit-content" loading={comment.isPending} disabled={text.trim() === ""}>
          Add comment
        </Button>
      </form>
    </section>
  );
}
