import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { metricsQuery } from "../../api/queries";
import { readyMade } from "../../dashboards/ready-made";
import { useAllowed } from "../../lib/access";
import { useScope } from "../../lib/scope";
import { PageHead } from "../../ui/page";
import { Forbidden, Loaded } from "../../ui/states";

/** The dashboards that come along, and how much of each this environment sends. */
export function DashboardsPage() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("metrics:read");
  const metrics = useQuery({ ...metricsQuery(organization, environment), enabled: mayRead === true });
  return (
    <>
      <PageHead title="Dashboards" note="Ready-made, for the systems whose metrics they know." />
      {mayRead === false ? (
        <Forbidden permission="metrics:read" what="see dashboards" />
      ) : (
        <Loaded query={metrics}>
          {(all) => {
            const sent = new Set(all.map((each) => each.name));
            return (
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Dashboard</th>
                    <th>Shows</th>
                    <th>Resources of type</th>
                    <th className="num">Panels with data here</th>
                  </tr>
                </thead>
                <tbody>
                  {readyMade.map(({ name, dashboard }) => (
                    <tr key={name}>
                      <td data-label="Dashboard">
                        <Link to="/o/$org/e/$env/dashboards/$dashboard" params={{ org: organization, env: environment, dashboard: name }}>
                          {dashboard.title}
                        </Link>
                      </td>
                      <td data-label="Shows" className="quiet">
                        {dashboard.description}
                      </td>
                      <td data-label="Resources of type">{dashboard.resource_type ?? "any"}</td>
                      <td data-label="Panels with data here" className="num">
                        {dashboard.panels.filter((panel) => sent.has(panel.metric)).length} of {dashboard.panels.length}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            );
          }}
        </Loaded>
      )}
    </>
  );
}
