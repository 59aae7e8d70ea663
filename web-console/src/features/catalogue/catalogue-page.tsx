import { Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { body, control, once, read } from "../../api/client";
import { metricsQuery, type Schemas } from "../../api/queries";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { displayed } from "../../lib/displayed";
import { plural } from "../../lib/numbers";
import { useScope } from "../../lib/scope";
import { ago } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { SettingsTabs } from "../../ui/settings-tabs";
import { Empty, Failure, Forbidden, Loaded } from "../../ui/states";

type Metric = Schemas["Metric"];
type Lifecycle = Schemas["MetricLifecycle"];

const SHOWN = 200;

/** Every metric that was sent or declared, what it is, and whether it is still meant to be used. */
export function CataloguePage() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("catalog:read");
  const mayWrite = useAllowed("catalog:write") === true;
  const metrics = useQuery({ ...metricsQuery(organization, environment), enabled: mayRead === true });
  const [search, setSearch] = useState("");
  const now = useNow();
  const wanted = search.toLowerCase();
  return (
    <>
      <PageHead title="Settings: metric catalogue" note={metrics.data && plural(metrics.data.length, "metric")}>
        <TextInput data-page-search aria-label="Search metrics" placeholder="Search by name or label" value={search} onChange={(event) => setSearch(event.currentTarget.value)} w={240} />
      </PageHead>
      <div className="stack">
        <SettingsTabs />
        {mayRead === false ? (
          <Forbidden permission="catalog:read" what="see the catalogue" />
        ) : (
          <Loaded query={metrics}>
            {(all) => {
              const found = all.filter((each) => each.name.toLowerCase().includes(wanted) || each.discovered?.labels.some((label) => label.toLowerCase().includes(wanted)));
              return found.length === 0 ? (
                <Empty title={all.length === 0 ? "No metrics yet" : "No metric has a name or label like this"} />
              ) : (
                <>
                  <table className="data as-list">
                    <thead>
                      <tr>
                        <th>Metric</th>
                        <th>Type</th>
                        <th>Unit</th>
                        <th>Labels</th>
                        <th>Split by</th>
                        <th className="num">Last point</th>
                        <th>Lifecycle</th>
                      </tr>
                    </thead>
                    <tbody>
                      {found.slice(0, SHOWN).map((each) => (
                        <tr key={each.id} className={each.lifecycle === "retired" ? "inactive" : ""}>
                          <td data-label="Metric" className="mono break">
                            <Link to="/o/$org/e/$env/explorer" params={{ org: organization, env: environment }} search={{ metric: each.name }}>
                              {displayed(each.name)}
                            </Link>
                          </td>
                          <td data-label="Type">{each.type?.replaceAll("_", " ")}</td>
                          <td data-label="Unit">{each.unit}</td>
                          <td data-label="Labels" className="quiet break">
                            {displayed(each.discovered?.labels.join(", ") ?? "")}
                            {each.discovered && !each.discovered.labels_complete && " and more"}
                          </td>
                          <td data-label="Split by" className="break">
                            {each.declared?.high_cardinality_labels?.join(", ")}
                          </td>
                          <td data-label="Last point" className="num nowrap">
                            {each.discovered ? ago(each.discovered.last_seen, now) : "never sent"}
                          </td>
                          <td data-label="Lifecycle">{mayWrite ? <LifecyclePicker metric={each} /> : each.lifecycle}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                  {found.length > SHOWN && <p className="quiet small">The first {SHOWN} of {found.length}. Search to see others.</p>}
                </>
              );
            }}
          </Loaded>
        )}
      </div>
    </>
  );
}

/** Retired metrics are not shown any more; points that still come are counted. */
function LifecyclePicker({ metric }: { metric: Metric }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const path = { organization_id: organization, environment_id: environment };
  const change = useMutation({
    mutationFn: async (lifecycle: Lifecycle) => {
      if (!metric.declared) {
        return body(
          control.POST("/api/v1/organizations/{organization_id}/environments/{environment_id}/metrics", {
            params: { path, header: once() },
            body: { name: metric.name, declaration: { lifecycle } },
          }),
        );
      }
      const own = { ...path, metric_id: metric.id };
      const { etag } = await read(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/metrics/{metric_id}", { params: { path: own } }));
      return body(control.PUT("/api/v1/organizations/{organization_id}/environments/{environment_id}/metrics/{metric_id}", { params: { path: own, header: { "If-Match": etag } }, body: { ...metric.declared, lifecycle } }));
    },
    onSuccess: () => client.invalidateQueries(metricsQuery(organization, environment)),
  });
  return (
    <>
      <Select
        aria-label={`Lifecycle of ${metric.name}`}
        w={120}
        data={["active", "deprecated", "retired"]}
        value={metric.lifecycle}
        disabled={change.isPending}
        onChange={(value) => value && change.mutate(value as Lifecycle)}
      />
      {change.error && <Failure fault={change.error} />}
    </>
  );
}
