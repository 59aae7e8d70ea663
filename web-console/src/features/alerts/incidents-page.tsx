import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { incidentsQuery } from "../../api/alert-queries";
import type { Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { groupText } from "../../lib/alert";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { duration, shortFigure } from "../../lib/numbers";
import { useScope, useView } from "../../lib/scope";
import { formatTime } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded, Skeleton } from "../../ui/states";
import { AlertTabs } from "./alert-tabs";
import { EarlyBadge, IncidentBadge, SeverityBadge } from "./badges";

const STATES = [
  { value: "open", label: "Open" },
  { value: "resolved", label: "Resolved" },
  { value: "retracted", label: "Retracted" },
  { value: "all", label: "All" },
];

/** What fired, the newest first. */
export function IncidentsPage() {
  const mayRead = useAllowed("alerts:read");
  const { state, rule } = useSearch({ strict: false }) as { state?: unknown; rule?: unknown };
  const navigate = useNavigate();
  const chosen = STATES.find((each) => each.value === state)?.value ?? "open";
  const put = (part: Record<string, unknown>) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...part })) as never });
  return (
    <>
      <PageHead title="Incidents" note="What alert rules found. Times are of the data, not of when somebody was told." />
      <div className="stack">
        <AlertTabs />
        {mayRead === false ? (
          <Forbidden permission="alerts:read" what="see incidents" />
        ) : mayRead === undefined ? (
          <Skeleton />
        ) : (
          <>
            <div className="row">
              <SegmentedControl aria-label="State" size="xs" data={STATES} value={chosen} onChange={(value) => put({ state: value === "open" ? undefined : value })} />
              {typeof rule === "string" && (
                <span className="row">
                  <span className="quiet small">Of one rule only.</span>
                  <Button variant="default" size="compact-xs" onClick={() => put({ rule: undefined })}>
                    Show those of all rules
                  </Button>
                </span>
              )}
            </div>
            <Incidents filter={{ ...(chosen === "all" ? {} : { state: chosen as Schemas["IncidentState"] }), ...(typeof rule === "string" ? { rule_id: rule } : {}) }} />
          </>
        )}
      </div>
    </>
  );
}

function Incidents({ filter }: { filter: { state?: Schemas["IncidentState"]; rule_id?: string } }) {
  const { organization, environment } = useScope();
  const { zone } = useView();
  const now = useNow();
  const incidents = useInfiniteQuery(incidentsQuery(organization, environment, filter));
  const place = { org: organization, env: environment };
  return (
    <Loaded query={incidents}>
      {({ pages }) => {
        const all = pages.flatMap((page) => page.data);
        return all.length === 0 ? (
          <Empty title={filter.state === "open" ? "No open incidents" : "No incidents"}>
            <p>{filter.state === "open" ? "No rule fires now." : "No rule found anything of this kind."}</p>
            <Link to={"/o/$org/e/$env/alerts/rules" as string} params={place as never}>
              See the rules
            </Link>
          </Empty>
        ) : (
          <>
            <table className="data as-list">
              <thead>
                <tr>
                  <th>Incident</th>
                  <th>State</th>
                  <th>Severity</th>
                  <th>Group</th>
                  <th>Since</th>
                  <th className="num">Lasted</th>
                  <th className="num">Value</th>
                  <th>Acknowledged</th>
                </tr>
              </thead>
              <tbody>
                {all.map((each) => (
                  <tr key={each.id}>
                    <td data-label="Incident" className="break">
                      <Link to={"/o/$org/e/$env/alerts/incidents/$incident" as string} params={{ ...place, incident: each.id } as never}>
                        {displayed(each.rule_name)}
                      </Link>
                    </td>
                    <td data-label="State">
                      <IncidentBadge state={each.state} /> <EarlyBadge incident={each} />
                    </td>
                    <td data-label="Severity">
                      <SeverityBadge severity={each.severity} />
                    </td>
                    <td data-label="Group" className="mono break">
                      {displayed(groupText(each.group), 80)}
                    </td>
                    <td data-label="Since" className="nowrap">
                      {formatTime(each.started_at, zone, "minute")}
                    </td>
                    <td data-label="Lasted" className="num">
                      {duration(Math.max(0, ((each.ended_at ? Date.parse(each.ended_at) : now) - Date.parse(each.started_at)) / 1000))}
                    </td>
                    <td data-label="Value" className="num">
                      {shortFigure(each.value ?? null)}
                    </td>
                    <td data-label="Acknowledged">{each.acknowledged_at ? formatTime(each.acknowledged_at, zone, "minute") : each.state === "open" ? "not yet" : "–"}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {incidents.hasNextPage && (
              <Button variant="default" w="fit-content" loading={incidents.isFetchingNextPage} onClick={() => void incidents.fetchNextPage()}>
                Show older incidents
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
