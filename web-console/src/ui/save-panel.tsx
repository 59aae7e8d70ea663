import { Button, Modal, Select, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { body, control, once, read } from "../api/client";
import { dashboardQuery, dashboardsQuery } from "../api/dashboard-queries";
import { Problem } from "../api/problem";
import { dashboardOf, definitionOf, MAX_PANELS, PANEL_TYPE_NAMES, PANEL_TYPES, type Panel, type PanelType } from "../lib/dashboard";
import { displayed } from "../lib/displayed";
import { useScope } from "../lib/scope";
import { Failure, Loaded, Note } from "./states";

const NEW = "";

/** Puts a question on a dashboard of the organisation, or on a new one. */
export function SavePanel({ panel, close }: { panel: Panel; close: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const dashboards = useQuery(dashboardsQuery(organization));
  const [chosen, setChosen] = useState<string>(NEW);
  const [title, setTitle] = useState(panel.title);
  const [dashboardTitle, setDashboardTitle] = useState("");
  const [type, setType] = useState<PanelType>(panel.type);
  const [key] = useState(once);
  const added: Panel = { ...panel, title: title.trim(), type };
  const save = useMutation({
    mutationFn: async () => {
      if (chosen === NEW) {
        const made = await body(
          control.POST("/api/v1/organizations/{organization_id}/dashboards", {
            params: { path: { organization_id: organization }, header: key },
            body: definitionOf({ title: dashboardTitle.trim(), description: "", panels: [added] }),
          }),
        );
        return made.id;
      }
      const saved = await append(organization, chosen, added);
      // Its page begins with this version.
      client.setQueryData(dashboardQuery(organization, chosen).queryKey, saved);
      return chosen;
    },
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: [organization, "dashboards"] });
      await client.invalidateQueries({ queryKey: [organization, "dashboard", id] });
    },
  });
  return (
    <Modal opened onClose={close} title="Save to dashboard" centered>
      {save.data ? (
        <div className="stack">
          <Note>The panel is on the dashboard.</Note>
          <Link to={"/o/$org/e/$env/dashboards/$dashboard" as string} params={{ org: organization, env: environment, dashboard: save.data } as never} data-autofocus>
            Open the dashboard
          </Link>
          <Button variant="default" onClick={close}>
            Stay here
          </Button>
        </div>
      ) : (
        <Loaded query={dashboards}>
          {(all) => (
            <form
              className="stack"
              onSubmit={(event) => {
                event.preventDefault();
                save.mutate();
              }}
            >
              <Select
                label="Dashboard"
                searchable
                allowDeselect={false}
                data={[{ value: NEW, label: "A new dashboard" }, ...[...all].sort((a, b) => a.title.localeCompare(b.title)).map((each) => ({ value: each.id, label: displayed(each.title, 60), disabled: each.panel_count >= MAX_PANELS }))]}
                value={chosen}
                onChange={(value) => setChosen(value ?? NEW)}
              />
              {chosen === NEW && <TextInput label="Title of the dashboard" data-autofocus maxLength={100} value={dashboardTitle} onChange={(event) => setDashboardTitle(event.currentTarget.value)} />}
              <TextInput label="Title of the panel" maxLength={100} placeholder={panel.metric} value={title} onChange={(event) => setTitle(event.currentTarget.value)} />
              <Select label="Shown as" allowDeselect={false} data={PANEL_TYPES.filter((each) => each !== "text").map((value) => ({ value, label: PANEL_TYPE_NAMES[value] }))} value={type} onChange={(value) => setType((value ?? "time_series") as PanelType)} />
              {save.error && <Failure fault={save.error} />}
              <Button type="submit" loading={save.isPending} disabled={chosen === NEW && dashboardTitle.trim() === ""}>
                Save panel
              </Button>
            </form>
          )}
        </Loaded>
      )}
    </Modal>
  );
}

/** Adds the panel to the newest version; tried again when somebody saved between the read and the change. */
async function append(organization: string, id: string, panel: Panel) {
  const path = { organization_id: organization, dashboard_id: id };
  for (let tries = 0; ; tries++) {
    const newest = await read(control.GET("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}", { params: { path } }));
    const { dashboard, faults } = dashboardOf(newest.data.definition);
    if (!dashboard) throw new Error(`This console cannot change that dashboard: ${faults.join(" ")}`);
    try {
      return await read(
        control.PUT("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}", {
          params: { path, header: { "If-Match": newest.etag } },
          body: definitionOf({ ...dashboard, panels: [...dashboard.panels, panel] }),
        }),
      );
    } catch (fault) {
      if (tries >= 3 || !(fault instanceof Problem) || fault.status !== 412) throw fault;
    }
  }
}
