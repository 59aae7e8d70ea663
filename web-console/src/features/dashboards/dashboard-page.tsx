import { Button, Select } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { metricsQuery, resourcesQuery } from "../../api/queries";
import { readyMade } from "../../dashboards/ready-made";
import type { Condition } from "../../lib/question";
import { useScope } from "../../lib/scope";
import { PageHead } from "../../ui/page";
import { PanelView } from "../../ui/panel-view";
import { RangePicker } from "../../ui/range-picker";
import { Empty, Loaded, Note, Skeleton } from "../../ui/states";

const NO_FILTER: Condition[] = [];

/** A dashboard over all resources of its type, or one of them. */
export function DashboardPage() {
  const { organization, environment } = useScope();
  const { dashboard: name } = useParams({ strict: false }) as { dashboard?: string };
  const { resource: chosen } = useSearch({ strict: false }) as { resource?: unknown };
  const navigate = useNavigate();
  const found = readyMade.find((each) => each.name === name)?.dashboard;
  const metrics = useQuery(metricsQuery(organization, environment));
  const resources = useQuery(resourcesQuery(organization, environment));
  const offered = resources.data?.filter((each) => found?.resource_type === undefined || each.type === found.resource_type) ?? [];
  const resource = offered.find((each) => each.id === chosen);
  const where = useMemo(() => (resource ? [{ label: `resource.${resource.type}.id`, is: "=" as const, value: resource.name }] : NO_FILTER), [resource]);
  const place = { org: organization, env: environment };
  if (!found) {
    return (
      <>
        <PageHead title="Dashboard" />
        <Empty title="There is no such dashboard">
          <Link to="/o/$org/e/$env/dashboards" params={place}>
            All dashboards
          </Link>
        </Empty>
      </>
    );
  }
  const save = () => {
    const address = URL.createObjectURL(new Blob([JSON.stringify(found, null, 2)], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `${name}.json`;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <>
      <PageHead title={found.title} note={found.description}>
        <Select
          aria-label="Resource"
          w={220}
          data={[{ value: "", label: "All resources" }, ...offered.map((each) => ({ value: each.id, label: each.display_name }))]}
          value={resource?.id ?? ""}
          onChange={(value) => void navigate({ to: ".", search: ((before: object) => ({ ...before, resource: value || undefined })) as never })}
        />
        <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={save}>
          JSON
        </Button>
        <RangePicker />
      </PageHead>
      <Loaded query={metrics} skeleton={<Skeleton rows={2} height={220} />}>
        {(all) => {
          const panels = found.panels.filter((panel) => all.some((metric) => metric.name === panel.metric));
          const absent = found.panels.filter((panel) => !panels.includes(panel));
          return (
            <div className="stack wide">
              {panels.length === 0 ? (
                <Empty title="Nothing of this dashboard is sent here">
                  <p>It shows {found.panels.map((panel) => panel.metric).join(", ")}.</p>
                </Empty>
              ) : (
                <div className="panels">
                  {panels.map((panel) => (
                    <PanelView key={panel.title} panel={panel} where={where} metric={all.find((metric) => metric.name === panel.metric)} />
                  ))}
                </div>
              )}
              {panels.length > 0 && absent.length > 0 && <Note>Not shown, since these metrics are not sent here: {absent.map((panel) => panel.metric).join(", ")}.</Note>}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}
