import { ActionIcon, Button, Select, Textarea, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { control, read } from "../../api/client";
import { dashboardQuery } from "../../api/dashboard-queries";
import { Problem } from "../../api/problem";
import { metricsQuery } from "../../api/queries";
import { dashboardOf, definitionOf, MAX_PANELS, moved, PANEL_TYPE_NAMES, PANEL_TYPES, type Dashboard, type Panel, type PanelType } from "../../lib/dashboard";
import { displayed } from "../../lib/displayed";
import { FUNCTION_NAMES, FUNCTIONS, type Function } from "../../lib/question";
import { useScope } from "../../lib/scope";
import { selectionOf, substituted, type Variable } from "../../lib/variables";
import { Conditions } from "../../ui/conditions";
import { PageHead } from "../../ui/page";
import { PanelView } from "../../ui/panel-view";
import { Failure, Note } from "../../ui/states";
import { VariableEditor } from "./variable-editor";

interface Item {
  /** Stays with the panel when it moves. */
  key: number;
  panel: Panel;
}

/** Title, order and parts of a dashboard; nothing is stored before Save, and nobody's change is overwritten unseen. */
export function DashboardEditor({ id, dashboard, etag, done }: { id: string; dashboard: Dashboard; etag: string; done: () => void }) {
  const { organization, environment } = useScope();
  const client = useQueryClient();
  const metrics = useQuery(metricsQuery(organization, environment));
  const [title, setTitle] = useState(dashboard.title);
  const [description, setDescription] = useState(dashboard.description);
  const [variables, setVariables] = useState<Variable[]>(dashboard.variables ?? []);
  const [items, setItems] = useState<Item[]>(() => dashboard.panels.map((panel, key) => ({ key, panel })));
  // Later versions of others come in while this is open; the change is meant for the one that it began with.
  const [base, setBase] = useState(etag);
  const next = useRef(dashboard.panels.length);
  const dragged = useRef<number>(undefined);
  const [over, setOver] = useState<number>();
  const [told, setTold] = useState("");
  const draft: Dashboard = { ...dashboard, title: title.trim(), description: description.trim(), variables, panels: items.map((each) => each.panel) };
  const changed = JSON.stringify(definitionOf(draft)) !== JSON.stringify(definitionOf(dashboard));
  const faults = dashboardOf(definitionOf(draft)).faults;
  const save = useMutation({
    mutationFn: (version: string) =>
      read(
        control.PUT("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}", {
          params: { path: { organization_id: organization, dashboard_id: id }, header: { "If-Match": version } },
          body: definitionOf(draft),
        }),
      ),
    onSuccess: async (saved) => {
      client.setQueryData(dashboardQuery(organization, id).queryKey, saved);
      done();
      await client.invalidateQueries({ queryKey: [organization, "dashboards"] });
      await client.invalidateQueries({ queryKey: [organization, "dashboard", id, "versions"] });
    },
  });
  useEffect(() => {
    if (!changed) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [changed]);
  const put = (key: number, part: Partial<Panel>) => setItems((before) => before.map((each) => (each.key === key ? { key, panel: { ...each.panel, ...part } } : each)));
  const move = (from: number, to: number) => {
    const item = items[from];
    if (!item || to < 0 || to >= items.length) return;
    setItems(moved(items, from, to));
    setTold(`${item.panel.title || item.panel.metric || "Text"} is now panel ${to + 1} of ${items.length}.`);
  };
  const add = () => {
    const key = next.current++;
    setItems([...items, { key, panel: { title: "", type: "text", metric: "", agg: "SUM", by: [], where: [], width: 2, text: "" } }]);
  };
  const isStale = save.error instanceof Problem && save.error.status === 412;
  const selection = selectionOf(variables, undefined);
  const labelsOf = (metric: string) => metrics.data?.find((each) => each.name === metric)?.discovered?.labels.map((each) => `metric.${each}`) ?? [];
  const labels = [...new Set(items.flatMap(({ panel }) => [...labelsOf(panel.metric), ...panel.by, ...panel.where.map((each) => each.label)]))].sort();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (faults.length === 0) save.mutate(base);
      }}
    >
      <PageHead title={`Edit: ${displayed(dashboard.title, 80)}`}>
        <Button variant="default" onClick={done}>
          {changed ? "Discard changes" : "Close"}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={!changed || faults.length > 0}>
          Save
        </Button>
      </PageHead>
      {isStale ? (
        <Note tone="warn">
          <div className="stack tight">
            <span>Somebody saved another version meanwhile. What you see here is kept. Saving over it makes your version the newest; theirs stays under Versions.</span>
            <Button
              variant="default"
              w="fit-content"
              loading={save.isPending}
              onClick={() =>
                void read(control.GET("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}", { params: { path: { organization_id: organization, dashboard_id: id } } }))
                  .then((newest) => {
                    setBase(newest.etag);
                    save.mutate(newest.etag);
                  })
                  // Save then says what is wrong.
                  .catch(() => save.mutate(base))
              }
            >
              Save over it
            </Button>
          </div>
        </Note>
      ) : (
        save.error && <Failure fault={save.error} />
      )}
      {faults.length > 0 && (
        <Note tone="danger">
          {faults.slice(0, 5).map((each) => (
            <div key={each}>{each}</div>
          ))}
        </Note>
      )}
      <div className="form-grid">
        <TextInput label="Title" maxLength={100} value={title} onChange={(event) => setTitle(event.currentTarget.value)} />
        <TextInput label="Description" maxLength={1000} value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
      </div>
      <VariableEditor variables={variables} labels={labels} change={setVariables} />
      <p className="hidden" aria-live="polite">
        {told}
      </p>
      <ol className="plain-row" aria-label="Panels">
        {items.map(({ key, panel }, index) => (
          <li
            key={key}
            className={`panel-edit stack tight ${over === index ? "over" : ""}`}
            aria-label={`Panel ${index + 1}: ${panel.title || panel.metric || "text"}`}
            onDragOver={(event) => {
              if (dragged.current === undefined) return;
              event.preventDefault();
              setOver(index);
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged.current !== undefined) move(dragged.current, index);
              dragged.current = undefined;
              setOver(undefined);
            }}
          >
            <div className="row end">
              <span
                className="quiet drag"
                draggable
                aria-hidden
                title="Drag to another place"
                onDragStart={() => (dragged.current = index)}
                onDragEnd={() => {
                  dragged.current = undefined;
                  setOver(undefined);
                }}
              >
                ⠿
              </span>
              <TextInput label="Panel title" maxLength={100} w={260} placeholder={panel.metric} value={panel.title} onChange={(event) => put(key, { title: event.currentTarget.value })} />
              {panel.type !== "text" && (
                <>
                  <Select label="Shown as" w={160} allowDeselect={false} data={PANEL_TYPES.filter((type) => type !== "text").map((value) => ({ value, label: PANEL_TYPE_NAMES[value] }))} value={panel.type} onChange={(value) => put(key, { type: (value ?? "time_series") as PanelType })} />
                  <Select label="Function" w={160} allowDeselect={false} data={FUNCTIONS.map((value) => ({ value, label: FUNCTION_NAMES[value] }))} value={panel.agg} onChange={(value) => put(key, { agg: (value ?? "SUM") as Function })} />
                </>
              )}
              <Select label="Width" w={110} allowDeselect={false} data={[{ value: "1", label: "Half" }, { value: "2", label: "Whole" }]} value={String(panel.width)} onChange={(value) => put(key, { width: value === "2" ? 2 : 1 })} />
              <span className="grow" />
              <ActionIcon variant="default" size={30} aria-label={`Move panel ${index + 1} up`} disabled={index === 0} onClick={() => move(index, index - 1)}>
                <IconArrowUp size={14} aria-hidden />
              </ActionIcon>
              <ActionIcon variant="default" size={30} aria-label={`Move panel ${index + 1} down`} disabled={index === items.length - 1} onClick={() => move(index, index + 1)}>
                <IconArrowDown size={14} aria-hidden />
              </ActionIcon>
              <ActionIcon variant="default" size={30} aria-label={`Remove panel ${index + 1}`} onClick={() => setItems(items.filter((each) => each.key !== key))}>
                <IconTrash size={14} aria-hidden />
              </ActionIcon>
            </div>
            {panel.type === "text" ? (
              <Textarea label="Text" rows={4} maxLength={4000} value={panel.text} onChange={(event) => put(key, { text: event.currentTarget.value })} />
            ) : (
              <details>
                <summary className="small">
                  {FUNCTION_NAMES[panel.agg]} of <span className="mono break">{displayed(panel.metric)}</span>
                  {panel.by.length > 0 && ` by ${panel.by.map((each) => displayed(each, 60)).join(", ")}`}
                  {panel.where.length > 0 && `, ${panel.where.length} filters`}
                </summary>
                <Conditions labels={[...new Set([...labelsOf(panel.metric), ...panel.where.map((each) => each.label)])].sort()} metric={panel.metric} where={panel.where} change={(where) => put(key, { where })} names={variables.map((each) => `$${each.name}`)} />
                <PanelView panel={{ ...panel, where: substituted(panel.where, selection), width: 1 }} where={[]} metric={metrics.data?.find((metric) => metric.name === panel.metric)} />
              </details>
            )}
          </li>
        ))}
      </ol>
      {items.length === 0 && <p className="quiet">No panels yet.</p>}
      <div className="row">
        <Button variant="default" onClick={add} disabled={items.length >= MAX_PANELS}>
          Add a text
        </Button>
        <Link to="/o/$org/e/$env/explorer" params={{ org: organization, env: environment }}>
          Add a chart from the Explorer
        </Link>
        {items.length >= MAX_PANELS && <span className="quiet small">A dashboard has at most {MAX_PANELS} panels.</span>}
      </div>
    </form>
  );
}
