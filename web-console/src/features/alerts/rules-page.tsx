import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { alertRulesQuery, showRule } from "../../api/alert-queries";
import { control, read } from "../../api/client";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { draftLike, sentenceOf } from "../../lib/alert";
import { displayed } from "../../lib/displayed";
import { useScope } from "../../lib/scope";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Skeleton } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";
import { SeverityBadge, StateBadge } from "./badges";

const URGENCY: Record<Schemas["AlertState"], number> = { firing: 0, pending: 1, blind: 2, no_data: 3, normal: 4 };

/** Rules with their state, those that need eyes first. */
export function RulesPage() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("alerts:read");
  const mayWrite = useAllowed("alerts:write") === true;
  return (
    <>
      <PageHead title="Alert rules" note="Each minute is decided by the time of the data, once its rows are complete.">
        {mayWrite && (
          <Button component={Link} {...({ to: "/o/$org/e/$env/alerts/rules/$rule", params: { org: organization, env: environment, rule: "new" } } as object)}>
            New rule
          </Button>
        )}
      </PageHead>
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? <Forbidden permission="alerts:read" what="see alert rules" /> : mayRead === undefined ? <Skeleton /> : <Rules mayWrite={mayWrite} />}
      </div>
    </>
  );
}

function Rules({ mayWrite }: { mayWrite: boolean }) {
  const { organization, environment } = useScope();
  const rules = useQuery(alertRulesQuery(organization, environment));
  const [search, setSearch] = useState("");
  return (
    <Loaded query={rules}>
      {(all) => {
        const found = all
          .filter((each) => `${each.name} ${each.condition.metric}`.toLowerCase().includes(search.trim().toLowerCase()))
          .sort((a, b) => Number(b.enabled) - Number(a.enabled) || URGENCY[a.state] - URGENCY[b.state] || a.name.localeCompare(b.name));
        return all.length === 0 ? (
          <Empty title="No alert rules yet">
            <p>A rule compares a metric each minute and opens an incident when it holds. Integrations tell people of it.</p>
          </Empty>
        ) : (
          <>
            <TextInput aria-label="Find a rule" data-page-search placeholder="Find by name or metric" maw={320} value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Rule</th>
                  <th>State</th>
                  <th>Severity</th>
                  <th>Condition</th>
                  <th>
                    <span className="hidden">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {found.slice(0, 300).map((each) => (
                  <tr key={each.id} className={each.enabled ? "" : "inactive"}>
                    <td data-label="Rule" className="break">
                      <Link to={"/o/$org/e/$env/alerts/rules/$rule" as string} params={{ org: organization, env: environment, rule: each.id } as never}>
                        {displayed(each.name)}
                      </Link>
                    </td>
                    <td data-label="State">{each.enabled ? <StateBadge state={each.state} /> : <span className="badge">disabled</span>}</td>
                    <td data-label="Severity">
                      <SeverityBadge severity={each.severity} />
                    </td>
                    <td data-label="Condition" className="break">
                      {displayed(sentenceOf(each.condition), 200)}
                    </td>
                    <td>{mayWrite && <Enable rule={each} />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {found.length > 300 && <p className="quiet small">The first 300 of {found.length} rules. Search to see others.</p>}
            {found.length === 0 && <p className="quiet">No rule has a name or a metric like this.</p>}
          </>
        );
      }}
    </Loaded>
  );
}

/** Switches a rule on or off, for the version that is shown. */
function Enable({ rule }: { rule: Schemas["AlertRule"] }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () =>
      read(
        control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules/{alert_rule_id}", {
          params: { path: { organization_id: organization, environment_id: environment, alert_rule_id: rule.id }, header: { "If-Match": `"${rule.version}"` } },
          body: draftLike(rule, { enabled: !rule.enabled }),
        }),
      ),
    onSuccess: (changed) => showRule(client, organization, environment, changed),
    onSettled: () => client.invalidateQueries({ queryKey: [organization, environment, "alert-rules"] }),
  });
  return (
    <>
      <Button variant="default" size="compact-xs" loading={change.isPending} aria-label={`${rule.enabled ? "Disable" : "Enable"} ${rule.name}`} title={rule.enabled ? "It is not evaluated any more and its incidents are resolved" : undefined} onClick={() => change.mutate()}>
        {rule.enabled ? "Disable" : "Enable"}
      </Button>
      {change.error && <Failure fault={change.error} />}
    </>
  );
}
