import { TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { resourcesQuery } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { worstFirst } from "../../lib/health";
import { useScope } from "../../lib/scope";
import { ago } from "../../lib/time-range";
import { HealthBadge } from "../../ui/health-badge";
import { PageHead } from "../../ui/page";
import { Empty, Forbidden, Loaded } from "../../ui/states";

/** Whatever sends: clusters, connectors, services. */
export function ResourcesPage() {
  const { organization, environment } = useScope();
  const place = { org: organization, env: environment };
  const mayRead = useAllowed("catalog:read");
  const resources = useQuery({ ...resourcesQuery(organization, environment), enabled: mayRead === true, refetchInterval: 30_000 });
  const [search, setSearch] = useState("");
  const now = useNow();
  return (
    <>
      <PageHead title="Resources" note="What sends metrics. A resource is in the list within two minutes of its first point.">
        <TextInput data-page-search aria-label="Search resources" placeholder="Search by name or type" value={search} onChange={(event) => setSearch(event.currentTarget.value)} w={240} />
      </PageHead>
      {mayRead === false ? (
        <Forbidden permission="catalog:read" what="see resources" />
      ) : (
        <Loaded query={resources}>
          {(all) => {
            const wanted = search.toLowerCase();
            const found = worstFirst(
              all.filter((each) => `${each.display_name} ${each.name} ${each.type}`.toLowerCase().includes(wanted)),
              now,
            );
            return found.length === 0 ? (
              <Empty title={all.length === 0 ? "No resources yet" : "No resource has a name like this"}>
                {all.length === 0 && (
                  <Link to="/o/$org/e/$env/data-in" params={place}>
                    Send the first point
                  </Link>
                )}
              </Empty>
            ) : (
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Health</th>
                    <th>Name</th>
                    <th>Type</th>
                    <th>Identifier</th>
                    <th>State</th>
                    <th className="num">Last point</th>
                  </tr>
                </thead>
                <tbody>
                  {found.map(({ resource, health }) => (
                    <tr key={resource.id}>
                      <td data-label="Health">
                        <HealthBadge health={health} />
                      </td>
                      <td data-label="Name" className="break">
                        <Link to="/o/$org/e/$env/resources/$resource" params={{ ...place, resource: resource.id }}>
                          {displayed(resource.display_name)}
                        </Link>
                      </td>
                      <td data-label="Type">{displayed(resource.type, 40)}</td>
                      <td data-label="Identifier" className="mono break">
                        {displayed(resource.name, 60)}
                      </td>
                      <td data-label="State">{resource.state}</td>
                      <td data-label="Last point" className="num nowrap">
                        {resource.last_seen ? ago(resource.last_seen, now) : "never"}
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
