import { Button, Modal, TextInput } from "@mantine/core";
import { IconPlus, IconUpload } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { body, control, once } from "../../api/client";
import { dashboardsQuery, peopleQuery } from "../../api/dashboard-queries";
import { metricsQuery } from "../../api/queries";
import { readyMade } from "../../dashboards/ready-made";
import { useAllowed } from "../../lib/access";
import { useNow } from "../../lib/clock";
import { definitionOf, type Dashboard, type Reading } from "../../lib/dashboard";
import { displayed } from "../../lib/displayed";
import { textOf } from "../../lib/files";
import { useScope } from "../../lib/scope";
import { ago } from "../../lib/time-range";
import { PageHead } from "../../ui/page";
import { Empty, Failure, Forbidden, Loaded, Note, Skeleton } from "../../ui/states";
import { Author } from "./author";

/** Dashboards of the organisation, and those that come along. */
export function DashboardsPage() {
  const mayRead = useAllowed("dashboards:read");
  const mayWrite = useAllowed("dashboards:write") === true;
  const [creating, setCreating] = useState(false);
  const [imported, setImported] = useState<Reading & { left: string[] }>();
  const { organization, environment } = useScope();
  const metrics = useQuery({ ...metricsQuery(organization, environment), enabled: useAllowed("metrics:read") === true });
  const known = metrics.data?.map((each) => ({ name: each.name, type: each.type, labels: each.discovered?.labels ?? [] })) ?? [];
  const file = useRef<HTMLInputElement>(null);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    // Not read whole when it cannot be one.
    const { importOf, MAX_IMPORT_BYTES, tooLarge } = await import("../../lib/dashboard-import");
    const refused = (fault: string) => ({ faults: [fault], ignored: [], left: [] });
    if (chosen.size > MAX_IMPORT_BYTES) setImported(refused(tooLarge(chosen.size)));
    else setImported(await textOf(chosen).then((text) => importOf(text, known), () => refused("The file cannot be read.")));
    if (file.current) file.current.value = "";
  };
  return (
    <>
      <PageHead title="Dashboards" note="Panels over the metrics of the environment that you look at; they belong to the organisation.">
        {mayWrite && (
          <>
            <input ref={file} type="file" accept="application/json,.json" className="hidden" aria-label="Dashboard file" tabIndex={-1} onChange={(event) => void take(event.currentTarget.files?.[0])} />
            <Button variant="default" leftSection={<IconUpload size={14} aria-hidden />} onClick={() => file.current?.click()}>
              Import
            </Button>
            <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setCreating(true)}>
              New dashboard
            </Button>
          </>
        )}
      </PageHead>
      <div className="stack wide">
        {mayRead === false ? <Forbidden permission="dashboards:read" what="see dashboards" /> : mayRead === undefined ? <Skeleton /> : <OwnDashboards mayWrite={mayWrite} />}
        <ReadyMade />
      </div>
      {creating && <CreateDashboard close={() => setCreating(false)} />}
      {imported && <ImportDashboard reading={imported} close={() => setImported(undefined)} />}
    </>
  );
}

function OwnDashboards({ mayWrite }: { mayWrite: boolean }) {
  const { organization, environment } = useScope();
  const now = useNow();
  const dashboards = useQuery(dashboardsQuery(organization));
  const people = useQuery({ ...peopleQuery(organization), enabled: useAllowed("members:read") === true });
  const [search, setSearch] = useState("");
  return (
    <section className="stack" aria-label="Dashboards of the organisation">
      <h2>Of your organisation</h2>
      <Loaded query={dashboards}>
        {(all) => {
          const found = all.filter((each) => each.title.toLowerCase().includes(search.trim().toLowerCase())).sort((a, b) => a.title.localeCompare(b.title));
          return all.length === 0 ? (
            <Empty title="No dashboards yet">
              <p>{mayWrite ? "Duplicate a ready-made one below, or ask something in the Explorer and choose “Save to dashboard”." : "Nobody has made one so far. Below are those that come along."}</p>
            </Empty>
          ) : (
            <>
              {all.length > 10 && <TextInput aria-label="Find a dashboard" data-page-search placeholder="Find a dashboard" maw={320} value={search} onChange={(event) => setSearch(event.currentTarget.value)} />}
              <table className="data as-list">
                <thead>
                  <tr>
                    <th>Dashboard</th>
                    <th>Shows</th>
                    <th className="num">Panels</th>
                    <th>Made by</th>
                    <th>Changed</th>
                  </tr>
                </thead>
                <tbody>
                  {found.map((each) => (
                    <tr key={each.id}>
                      <td data-label="Dashboard" className="break">
                        <Link to="/o/$org/e/$env/dashboards/$dashboard" params={{ org: organization, env: environment, dashboard: each.id }}>
                          {displayed(each.title)}
                        </Link>
                      </td>
                      <td data-label="Shows" className="quiet break">
                        {displayed(each.description ?? "", 120)}
                      </td>
                      <td data-label="Panels" className="num">
                        {each.panel_count}
                      </td>
                      <td data-label="Made by" className="break">
                        <Author author={each.created_by} people={people.data} />
                      </td>
                      <td data-label="Changed">
                        {ago(each.updated_at, now)} by <Author author={each.updated_by} people={people.data} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {found.length === 0 && <p className="quiet">No dashboard has a title like this.</p>}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function ReadyMade() {
  const { organization, environment } = useScope();
  const mayRead = useAllowed("metrics:read");
  const metrics = useQuery({ ...metricsQuery(organization, environment), enabled: mayRead === true });
  if (mayRead === false) return <Forbidden permission="metrics:read" what="see the metrics of dashboards" />;
  return (
    <section className="stack" aria-label="Ready-made dashboards">
      <h2>Ready-made</h2>
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
    </section>
  );
}

function useCreate(done: (id: string) => void) {
  const { organization } = useScope();
  const client = useQueryClient();
  // The same for every try of this form, so that a lost answer makes no second dashboard.
  const [key] = useState(once);
  return useMutation({
    mutationFn: (dashboard: Dashboard) => body(control.POST("/api/v1/organizations/{organization_id}/dashboards", { params: { path: { organization_id: organization }, header: key }, body: definitionOf(dashboard) })),
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: [organization, "dashboards"] });
      done(made.id);
    },
  });
}

function useOpen() {
  const { organization, environment } = useScope();
  const navigate = useNavigate();
  return (id: string, edit: boolean) => void navigate({ to: "/o/$org/e/$env/dashboards/$dashboard", params: { org: organization, env: environment, dashboard: id }, search: edit ? { edit: 1 } : {} });
}

function CreateDashboard({ close }: { close: () => void }) {
  const [title, setTitle] = useState("");
  const open = useOpen();
  const create = useCreate((id) => open(id, true));
  return (
    <Modal opened onClose={close} title="New dashboard" centered>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ title: title.trim(), description: "", panels: [] });
        }}
      >
        <TextInput label="Title" data-autofocus maxLength={100} value={title} onChange={(event) => setTitle(event.currentTarget.value)} />
        {create.error && <Failure fault={create.error} />}
        <Button type="submit" loading={create.isPending} disabled={title.trim() === ""}>
          Create dashboard
        </Button>
      </form>
    </Modal>
  );
}

function ImportDashboard({ reading, close }: { reading: Reading & { left: string[] }; close: () => void }) {
  const open = useOpen();
  const create = useCreate((id) => open(id, false));
  const found = reading.dashboard;
  return (
    <Modal opened onClose={close} title={found ? `Import ${displayed(found.title, 60)}` : "The file was not imported"} centered>
      <div className="stack">
        {found ? (
          <>
            <p>
              {found.panels.length} panels{found.description ? `: ${displayed(found.description, 200)}` : "."}
            </p>
            {reading.ignored.length > 0 && <Note tone="warn">Left out, since dashboards have no such part: {displayed(reading.ignored.slice(0, 20).join(", "), 400)}.</Note>}
            {reading.left.length > 0 && (
              <section className="stack tight" aria-label="What could not be taken">
                <h3>What could not be taken</h3>
                <ul className="left-out">
                  {reading.left.slice(0, 100).map((each, index) => (
                    <li key={index} className="break">
                      {displayed(each, 300)}
                    </li>
                  ))}
                </ul>
                {reading.left.length > 100 && <p>And {reading.left.length - 100} more.</p>}
              </section>
            )}
            {create.error && <Failure fault={create.error} />}
            <Button data-autofocus loading={create.isPending} onClick={() => create.mutate(found)}>
              Import dashboard
            </Button>
          </>
        ) : (
          <>
            <p>Nothing was changed. What is wrong with it:</p>
            <ul>
              {reading.faults.slice(0, 30).map((each) => (
                <li key={each} className="break">
                  {displayed(each, 300)}
                </li>
              ))}
            </ul>
            {reading.faults.length > 30 && <p>And {reading.faults.length - 30} more.</p>}
            <Button variant="default" onClick={close} data-autofocus>
              Close
            </Button>
          </>
        )}
      </div>
    </Modal>
  );
}
