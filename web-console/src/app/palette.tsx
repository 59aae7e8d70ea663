import { Modal, TextInput } from "@mantine/core";
import { IconArrowRight, IconBell, IconChartLine, IconLayoutDashboard, IconServer, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { alertRulesQuery } from "../api/alert-queries";
import { dashboardsQuery, peopleQuery } from "../api/dashboard-queries";
import { callerQuery, metricsQuery, resourcesQuery } from "../api/queries";
import { useAllowed } from "../lib/access";
import { STATE_NAMES } from "../lib/alert";
import { displayed } from "../lib/displayed";
import { useScope } from "../lib/scope";
import { deeper, destinationsOf } from "./navigation";

interface Item {
  id: string;
  name: string;
  kind: string;
  icon: ReactNode;
  go: () => void;
}

/** Whether the letters of a search are in a name in their order, and how close together; lower is better. */
export function closeness(name: string, search: string): number | undefined {
  const text = name.toLowerCase();
  const wanted = search.toLowerCase().replaceAll(/\s+/g, "");
  if (wanted === "") return 0;
  const whole = text.indexOf(wanted);
  if (whole >= 0) return whole / 100;
  let at = -1;
  let spread = 0;
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return undefined;
    spread += next - at - 1;
    at = next;
  }
  return 10 + spread;
}

/** Finds pages, metrics, resources, dashboards, rules, people and what can be begun; by keyboard. */
export function Palette({ close }: { close: () => void }) {
  const { organization, environment } = useScope();
  const params = { org: organization, env: environment };
  const navigate = useNavigate();
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const metrics = useQuery(metricsQuery(organization, environment));
  const resources = useQuery(resourcesQuery(organization, environment));
  const dashboards = useQuery({ ...dashboardsQuery(organization), enabled: useAllowed("dashboards:read") === true });
  const rules = useQuery({ ...alertRulesQuery(organization, environment), enabled: useAllowed("alerts:read") === true, refetchInterval: false });
  const people = useQuery({ ...peopleQuery(organization), enabled: useAllowed("members:read") === true });
  const caller = useQuery(callerQuery);
  const permissions = caller.data?.organizations?.find((each) => each.organization_id === organization)?.permissions;
  const items = useMemo(() => {
    const all: Item[] = destinationsOf(organization).map(({ to, name, icon: Icon, key }) => ({
      id: to,
      name,
      kind: `Page, g ${key}`,
      icon: <Icon size={16} aria-hidden />,
      go: () => void navigate({ to: to as "/o/$org/e/$env", params }),
    }));
    const place = `/o/${encodeURIComponent(organization)}/e/${encodeURIComponent(environment)}`;
    deeper
      .filter((each) => each.needs === undefined || permissions === undefined || permissions.includes(each.needs))
      .forEach(({ to, name, kind }) => all.push({ id: to, name, kind, icon: <IconArrowRight size={16} aria-hidden />, go: () => void navigate({ href: `${place}/${to}` }) }));
    dashboards.data?.forEach((each) => all.push({ id: each.id, name: each.title, kind: "Dashboard", icon: <IconLayoutDashboard size={16} aria-hidden />, go: () => void navigate({ href: `${place}/dashboards/${encodeURIComponent(each.id)}` }) }));
    rules.data?.forEach((each) => all.push({ id: each.id, name: each.name, kind: `Rule, ${STATE_NAMES[each.state]}`, icon: <IconBell size={16} aria-hidden />, go: () => void navigate({ href: `${place}/alerts/rules/${encodeURIComponent(each.id)}` }) }));
    people.data?.forEach((name, id) => all.push({ id, name, kind: "Person", icon: <IconUser size={16} aria-hidden />, go: () => void navigate({ href: `${place}/settings/people` }) }));
    resources.data?.forEach((resource) =>
      all.push({
        id: resource.id,
        name: resource.display_name,
        kind: resource.type,
        icon: <IconServer size={16} aria-hidden />,
        go: () => void navigate({ to: "/o/$org/e/$env/resources/$resource" as "/o/$org/e/$env", params: { ...params, resource: resource.id } as never }),
      }),
    );
    metrics.data?.forEach((metric) =>
      all.push({
        id: metric.id,
        name: metric.name,
        kind: "Metric",
        icon: <IconChartLine size={16} aria-hidden />,
        go: () => void navigate({ to: "/o/$org/e/$env/explorer", params, search: { metric: metric.name } }),
      }),
    );
    return all
      .map((item) => ({ item, rank: closeness(item.name, search) }))
      .filter((each) => each.rank !== undefined)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
      .slice(0, 50)
      .map((each) => each.item);
  }, [metrics.data, resources.data, dashboards.data, rules.data, people.data, permissions, search, organization, environment]);
  useEffect(() => setAt(0), [search]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const choose = (item: Item | undefined) => {
    if (item) {
      close();
      item.go();
    }
  };
  return (
    <Modal opened onClose={close} withCloseButton={false} size="lg" title="Find" yOffset={80}>
      <TextInput
        data-autofocus
        size="sm"
        aria-label="Find a page, a resource, a metric, a rule or a person"
        placeholder="Find a page, a resource, a metric, a rule or a person"
        value={search}
        role="combobox"
        aria-expanded
        aria-controls="palette"
        aria-activedescendant={items[at] ? `palette-${at}` : undefined}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            setAt((before) => Math.max(0, Math.min(items.length - 1, before + (event.key === "ArrowDown" ? 1 : -1))));
          } else if (event.key === "Enter") {
            event.preventDefault();
            choose(items[at]);
          }
        }}
      />
      <div id="palette" ref={list} role="listbox" aria-label="Found" className="palette-list">
        {items.map((item, index) => (
          <div key={item.id} id={`palette-${index}`} role="option" aria-selected={index === at} className="palette-item" onMouseMove={() => setAt(index)} onClick={() => choose(item)}>
            {item.icon}
            <span className="grow break">{displayed(item.name)}</span>
            <span className="small quiet">{displayed(item.kind, 30)}</span>
            <IconArrowRight size={14} aria-hidden />
          </div>
        ))}
        {items.length === 0 && <p className="quiet">Nothing has a name like this.</p>}
      </div>
      <p className="small quiet">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> opens, <kbd>g</kbd> and a letter goes to a page ({destinationsOf(organization).map(({ key, name }) => `${key} ${name}`).join(", ")}), <kbd>/</kbd> focuses the search of a page, <kbd>?</kbd> shows this
      </p>
    </Modal>
  );
}
