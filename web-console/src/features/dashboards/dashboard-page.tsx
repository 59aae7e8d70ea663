import { Button, Menu, Select } from "@mantine/core";
import { IconCopy, IconDots, IconDownload, IconHistory, IconPencil, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { body, control, once } from "../../api/client";
import { dashboardQuery, dashboardVersionQuery } from "../../api/dashboard-queries";
import { Problem } from "../../api/problem";
import { metricsQuery, resourcesQuery } from "../../api/queries";
import { readyMade } from "../../dashboards/ready-made";
import { useAllowed } from "../../lib/access";
import { dashboardOf, definitionOf, type Dashboard } from "../../lib/dashboard";
import { displayed } from "../../lib/displayed";
import { fileNameOf, saveFile } from "../../lib/files";
import { questionOf, searchOf, type Condition } from "../../lib/question";
import { useScope } from "../../lib/scope";
import { MAX_CHOSEN, searchOfSelection, selectionOf, substituted, type Selection, type Variable } from "../../lib/variables";
import { Conditions } from "../../ui/conditions";
import { Confirm } from "../../ui/confirm";
import { PageHead } from "../../ui/page";
import { PanelView } from "../../ui/panel-view";
import { RangePicker } from "../../ui/range-picker";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { RestoreVersion, Versions } from "./versions";

const DashboardEditor = lazy(() => import("./dashboard-editor").then((module) => ({ default: module.DashboardEditor })));

// Most dashboards have no variables.
const VariableChoices = lazy(() => import("./variable-choices").then((module) => ({ default: module.VariableChoices })));

const NO_FILTER: Condition[] = [];
const NO_VARIABLES: Variable[] = [];

interface Search {
  resource?: unknown;
  edit?: unknown;
  version?: unknown;
  where?: unknown;
  vars?: unknown;
}

/** A dashboard that comes along, or one of the organisation. */
export function DashboardPage() {
  const { dashboard: id = "" } = useParams({ strict: false }) as { dashboard?: string };
  const found = readyMade.find((each) => each.name === id)?.dashboard;
  return found ? <ReadyMadeDashboard dashboard={found} /> : <OwnDashboard key={id} id={id} />;
}

function ReadyMadeDashboard({ dashboard }: { dashboard: Dashboard }) {
  const mayWrite = useAllowed("dashboards:write") === true;
  return (
    <>
      <PageHead title={dashboard.title} note={dashboard.description}>
        <ResourceChoice dashboard={dashboard} />
        {mayWrite && <DuplicateReadyMade dashboard={dashboard} />}
        <Export dashboard={dashboard} />
        <RangePicker />
      </PageHead>
      <Panels dashboard={dashboard} />
    </>
  );
}

function OwnDashboard({ id }: { id: string }) {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("dashboards:read");
  const mayWrite = useAllowed("dashboards:write") === true;
  const search = useSearch({ strict: false }) as Search;
  const version = typeof search.version === "number" && Number.isInteger(search.version) && search.version > 0 ? search.version : undefined;
  const navigate = useNavigate();
  const query = useQuery({ ...dashboardQuery(organization, id), enabled: mayRead === true });
  const past = useQuery({ ...dashboardVersionQuery(organization, id, version ?? 0), enabled: mayRead === true && version !== undefined });
  const [versions, setVersions] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const put = (part: Partial<Search>) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...part })) as never });
  const read = query.data ? dashboardOf(query.data.data.definition) : undefined;
  const now = read?.dashboard;
  if (mayRead === false) {
    return (
      <>
        <PageHead title="Dashboard" />
        <Forbidden permission="dashboards:read" what="see dashboards" />
      </>
    );
  }
  if (query.error instanceof Problem && query.error.status === 404) {
    return (
      <>
        <PageHead title="Dashboard" />
        <Empty title="There is no such dashboard">
          <p>It may have been deleted.</p>
          <Link to="/o/$org/e/$env/dashboards" params={{ org: organization, env: environment }}>
            All dashboards
          </Link>
        </Empty>
      </>
    );
  }
  if (!query.data || !now) {
    return (
      <>
        <PageHead title="Dashboard" />
        {query.error ? <Failure fault={query.error} retry={() => void query.refetch()} /> : read ? <Failure fault={new Error(`This console cannot show it: ${read.faults.join(" ")}`)} /> : <Skeleton rows={2} height={220} />}
      </>
    );
  }
  const current = query.data.data;
  if (search.edit === 1 && mayWrite) {
    return (
      <Suspense fallback={<Skeleton rows={4} height={60} />}>
        <DashboardEditor id={id} dashboard={now} etag={query.data.etag} done={() => put({ edit: undefined })} />
      </Suspense>
    );
  }
  const shown = version !== undefined && version !== current.version && past.data?.definition ? (dashboardOf(past.data.definition).dashboard ?? now) : now;
  const isPast = shown !== now;
  return (
    <>
      <PageHead title={displayed(shown.title, 100)} note={displayed(shown.description, 300)}>
        <ResourceChoice dashboard={shown} />
        {mayWrite && !isPast && (
          <Button variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={() => put({ edit: 1 })}>
            Edit
          </Button>
        )}
        <Export dashboard={shown} />
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <Button variant="default" leftSection={<IconDots size={14} aria-hidden />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconHistory size={14} aria-hidden />} onClick={() => setVersions(true)}>
              Versions
            </Menu.Item>
            {mayWrite && <Duplicate id={id} />}
            {mayWrite && (
              <Menu.Item leftSection={<IconTrash size={14} aria-hidden />} onClick={() => setDeleting(true)}>
                Delete
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
        <RangePicker />
      </PageHead>
      {version !== undefined && past.error ? (
        <Failure fault={past.error} retry={() => void past.refetch()} />
      ) : isPast && version !== undefined ? (
        <Note tone="warn">
          <div className="row between">
            <span>This is version {version}, not the newest.</span>
            <span className="row">
              {mayWrite && <RestoreVersion id={id} version={version} etag={query.data.etag} done={() => put({ version: undefined })} />}
              <Button variant="default" onClick={() => put({ version: undefined })}>
                Show the newest
              </Button>
            </span>
          </div>
        </Note>
      ) : null}
      <Panels dashboard={shown} empty={mayWrite ? "Choose Edit to write a text, or ask something in the Explorer and choose “Save to dashboard”." : "Nobody has put a panel on it so far."} />
      {versions && (
        <Versions
          id={id}
          newest={current.version}
          etag={query.data.etag}
          mayWrite={mayWrite}
          close={() => setVersions(false)}
          show={(chosen) => {
            setVersions(false);
            put({ version: chosen === current.version ? undefined : chosen });
          }}
        />
      )}
      {deleting && <Delete id={id} title={now.title} panels={now.panels.length} versions={current.version} etag={query.data.etag} close={() => setDeleting(false)} />}
    </>
  );
}

/** The resource that all panels are of, kept in the address. */
function ResourceChoice({ dashboard }: { dashboard: Dashboard }) {
  const { offered, resource } = useResource(dashboard);
  const navigate = useNavigate();
  return (
    <Select
      aria-label="Resource"
      w={200}
      data={[{ value: "", label: "All resources" }, ...offered.map((each) => ({ value: each.id, label: each.display_name }))]}
      value={resource?.id ?? ""}
      onChange={(value) => void navigate({ to: ".", search: ((before: object) => ({ ...before, resource: value || undefined })) as never })}
    />
  );
}

function useResource(dashboard: Dashboard) {
  const { organization, environment } = useScope();
  const { resource: chosen } = useSearch({ strict: false }) as Search;
  const resources = useQuery(resourcesQuery(organization, environment));
  const offered = resources.data?.filter((each) => dashboard.resource_type === undefined || each.type === dashboard.resource_type) ?? [];
  return { offered, resource: offered.find((each) => each.id === chosen) };
}

function Panels({ dashboard, empty }: { dashboard: Dashboard; empty?: string }) {
  const { organization, environment } = useScope();
  const mayQuery = useAllowed("metrics:read");
  const metrics = useQuery({ ...metricsQuery(organization, environment), enabled: mayQuery === true });
  const { resource } = useResource(dashboard);
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const chosen = useMemo(() => questionOf({ where: search.where }).where, [search.where]);
  const where = useMemo(() => {
    const own = resource ? [{ label: `resource.${resource.type}.id`, is: "=" as const, value: resource.name }] : NO_FILTER;
    return chosen.length === 0 ? own : [...own, ...chosen];
  }, [resource, chosen]);
  const variables = dashboard.variables ?? NO_VARIABLES;
  const selection = useMemo(() => selectionOf(variables, search.vars), [variables, search.vars]);
  const choose = (next: Selection) => void navigate({ to: ".", search: ((before: object) => ({ ...before, vars: searchOfSelection(variables, next) })) as never });
  const asked = useMemo(() => dashboard.panels.map((panel) => ({ ...panel, where: substituted(panel.where, selection) })), [dashboard, selection]);
  if (mayQuery === false) return <Forbidden permission="metrics:read" what="query the metrics of this dashboard" />;
  if (dashboard.panels.length === 0) {
    return (
      <Empty title="No panels yet">
        <p>{empty}</p>
      </Empty>
    );
  }
  return (
    <Loaded query={metrics} skeleton={<Skeleton rows={2} height={220} />}>
      {(all) => {
        const panels = asked.filter((panel) => panel.type === "text" || all.some((metric) => metric.name === panel.metric));
        const absent = [...new Set(asked.filter((panel) => !panels.includes(panel)).map((panel) => panel.metric))];
        const shown = new Set(panels.map((panel) => panel.metric));
        const labels = [...new Set([...all.filter((metric) => shown.has(metric.name)).flatMap((metric) => metric.discovered?.labels.map((each) => `metric.${each}`) ?? []), ...chosen.map((each) => each.label)])].sort();
        return (
          <div className="stack wide">
            {variables.length > 0 && (
              <Suspense fallback={<Skeleton rows={1} height={52} />}>
                <VariableChoices variables={variables} selection={selection} most={MAX_CHOSEN} change={choose} />
              </Suspense>
            )}
            {labels.length > 0 && <Conditions labels={labels} metric={undefined} where={chosen} change={(next) => void navigate({ to: ".", search: ((before: object) => ({ ...before, ...searchOf({ where: next }) })) as never })} />}
            {panels.length === 0 ? (
              <Empty title="Nothing of this dashboard is sent here">
                <p className="break">It shows {absent.map((each) => displayed(each)).join(", ")}.</p>
              </Empty>
            ) : (
              <div className="panels">
                {panels.map((panel, index) => (
                  <PanelView key={`${index} ${panel.title}`} panel={panel} where={where} metric={all.find((metric) => metric.name === panel.metric)} />
                ))}
              </div>
            )}
            {panels.length > 0 && absent.length > 0 && <Note>Not shown, since these metrics are not sent here: {absent.map((each) => displayed(each)).join(", ")}.</Note>}
          </div>
        );
      }}
    </Loaded>
  );
}

function Export({ dashboard }: { dashboard: Dashboard }) {
  return (
    <Button variant="default" leftSection={<IconDownload size={14} aria-hidden />} onClick={() => saveFile(`${fileNameOf(dashboard.title, "dashboard")}.json`, "application/json", JSON.stringify(definitionOf(dashboard), null, 2))}>
      JSON
    </Button>
  );
}

function useOpenCopy() {
  const { organization, environment } = useScope();
  const navigate = useNavigate();
  const client = useQueryClient();
  return async (id: string) => {
    await client.invalidateQueries({ queryKey: [organization, "dashboards"] });
    await navigate({ to: "/o/$org/e/$env/dashboards/$dashboard", params: { org: organization, env: environment, dashboard: id }, search: { edit: 1 } });
  };
}

function DuplicateReadyMade({ dashboard }: { dashboard: Dashboard }) {
  const { organization } = useScope();
  const open = useOpenCopy();
  const [key] = useState(once);
  const duplicate = useMutation({
    mutationFn: () =>
      body(
        control.POST("/api/v1/organizations/{organization_id}/dashboards", {
          params: { path: { organization_id: organization }, header: key },
          body: definitionOf({ ...dashboard, title: `${dashboard.title} (copy)` }),
        }),
      ),
    onSuccess: (made) => open(made.id),
  });
  return (
    <>
      <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />} loading={duplicate.isPending} onClick={() => duplicate.mutate()}>
        Duplicate
      </Button>
      {duplicate.error && <Failure fault={duplicate.error} />}
    </>
  );
}

function Duplicate({ id }: { id: string }) {
  const { organization } = useScope();
  const open = useOpenCopy();
  const duplicate = useMutation({
    mutationFn: () => body(control.POST("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}/duplicate", { params: { path: { organization_id: organization, dashboard_id: id }, header: once() } })),
    onSuccess: (made) => open(made.id),
  });
  return (
    <Menu.Item closeMenuOnClick={false} leftSection={<IconCopy size={14} aria-hidden />} disabled={duplicate.isPending} onClick={() => duplicate.mutate()}>
      {duplicate.error ? `Not duplicated: ${duplicate.error.message}. Try again` : "Duplicate"}
    </Menu.Item>
  );
}

function Delete({ id, title, panels, versions, etag, close }: { id: string; title: string; panels: number; versions: number; etag: string; close: () => void }) {
  const { organization, environment } = useScope();
  const navigate = useNavigate();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => body(control.DELETE("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}", { params: { path: { organization_id: organization, dashboard_id: id }, header: { "If-Match": etag } } })),
    onSuccess: async () => {
      await navigate({ to: "/o/$org/e/$env/dashboards", params: { org: organization, env: environment } });
      client.removeQueries({ queryKey: [organization, "dashboard", id] });
      await client.invalidateQueries({ queryKey: [organization, "dashboards"] });
    },
  });
  return (
    <Confirm title={`Delete ${displayed(title, 60)}`} action="Delete dashboard" close={close} run={() => remove.mutate()} pending={remove.isPending} fault={remove.error} type={title}>
      <p>
        {panels === 1 ? "1 panel" : `${panels} panels`} and {versions === 1 ? "1 version" : `${Math.min(versions, 100)} versions`} go for good, for everybody. No metrics are deleted. Export its JSON first to keep it.
      </p>
    </Confirm>
  );
}
