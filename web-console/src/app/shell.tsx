import { ActionIcon, Button, Drawer, Menu, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconBuilding, IconChevronDown, IconLock, IconLogout, IconMenu2, IconMoon, IconSearch, IconSun, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { environmentsQuery, organizationsQuery, sessionQuery } from "../api/queries";
import { useClockSkew } from "../lib/clock";
import { displayed } from "../lib/displayed";
import { duration } from "../lib/numbers";
import { useScope } from "../lib/scope";
import { Note } from "../ui/states";
import { keepPlace } from "./last-place";
import { Missing } from "./missing";
import { destinationsOf } from "./navigation";

const Palette = lazy(() => import("./palette").then((module) => ({ default: module.Palette })));

function Brand() {
  return (
    <Link to="/o/$org/e/$env" params={useParamsOfPlace()} className="brand">
      <svg aria-hidden="true" width="24" height="24" viewBox="0 0 28 28">
        <rect width="28" height="28" rx="6" />
        <path d="M4 11q5-5 10 0t10 0M4 18q5-5 10 0t10 0" />
      </svg>
      <span className="wide-only">Tidemark</span>
      <span className="hidden narrow-only">Tidemark, home</span>
    </Link>
  );
}

function useParamsOfPlace() {
  const { organization, environment } = useScope();
  return { org: organization, env: environment };
}

function Navigation({ done }: { done?: () => void }) {
  const params = useParamsOfPlace();
  const path = useRouterState({ select: (state) => state.location.pathname });
  return (
    <nav aria-label="Pages">
      {destinationsOf(params.org).map(({ to, name, icon: Icon, exact }) => (
        <Link
          key={to}
          to={to as "/o/$org/e/$env"}
          params={params}
          search={(before: Record<string, unknown>) => keepView(before)}
          activeOptions={{ exact: exact ?? false, includeSearch: false }}
          className={`nav-link ${name === "Settings" && path.includes("/settings/") ? "active" : ""}`}
          onClick={done}
        >
          <Icon size={16} aria-hidden />
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** From page to page the range and the zone stay; what else an address holds belongs to its page. */
function keepView(before: Record<string, unknown>) {
  const { from, to, tz } = before as { from?: string; to?: string; tz?: "utc" };
  return { ...(from ? { from } : {}), ...(to ? { to } : {}), ...(tz ? { tz } : {}) };
}

function PlaceSwitch() {
  const { organization, environment } = useScope();
  const navigate = useNavigate();
  const organizations = useQuery(organizationsQuery);
  const environments = useQuery(environmentsQuery(organization));
  const nameOf = organizations.data?.find((each) => each.id === organization)?.display_name ?? organization;
  const environmentName = environments.data?.find((each) => each.id === environment)?.display_name ?? environment;
  return (
    <>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button variant="subtle" color="gray" c="inherit" px={8} leftSection={<IconBuilding size={14} aria-hidden />} rightSection={<IconChevronDown size={12} aria-hidden />} className="wide-only">
            <span className="hidden">Organisation: </span>
            {displayed(nameOf, 28)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Organisation</Menu.Label>
          {organizations.data?.map((each) => (
            <Menu.Item key={each.id} onClick={() => void navigate({ to: "/o/$org", params: { org: each.id } })} aria-current={each.id === organization}>
              {displayed(each.display_name, 40)} {each.state !== "active" && <span className="badge warn">{each.state}</span>}
              <div className="small quiet mono">{each.id}</div>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button variant="subtle" color="gray" c="inherit" px={8} rightSection={<IconChevronDown size={12} aria-hidden />}>
            <span className="hidden">Environment: </span>
            {displayed(environmentName, 24)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Environment of {displayed(nameOf, 28)}</Menu.Label>
          {environments.data?.map((each) => (
            <Menu.Item key={each.id} onClick={() => void navigate({ to: "/o/$org/e/$env", params: { org: organization, env: each.id } })} aria-current={each.id === environment}>
              {displayed(each.display_name, 40)} {each.state !== "active" && <span className="badge warn">{each.state}</span>}
              <div className="small quiet mono">{each.id}</div>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function Person() {
  const session = useQuery(sessionQuery);
  const form = useRef<HTMLFormElement>(null);
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const name = session.data?.person.display_name ?? "";
  const navigate = useNavigate();
  const params = useParamsOfPlace();
  return (
    <>
      <ActionIcon variant="subtle" color="gray" c="inherit" aria-label={scheme === "dark" ? "Use the light theme" : "Use the dark theme"} onClick={() => setColorScheme(scheme === "dark" ? "light" : "dark")}>
        {scheme === "dark" ? <IconSun size={16} aria-hidden /> : <IconMoon size={16} aria-hidden />}
      </ActionIcon>
      <form ref={form} method="post" action="/auth/sign-out">
        <input type="hidden" name="_csrf" value={session.data?.csrf_token ?? ""} />
      </form>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" c="inherit" aria-label={`You: ${name}`}>
            <IconUser size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {displayed(name, 40)}
            <div className="small">{session.data?.person.mail}</div>
          </Menu.Label>
          <Menu.Item leftSection={<IconUser size={14} aria-hidden />} onClick={() => void navigate({ to: "/o/$org/e/$env/settings/profile" as "/o/$org/e/$env", params })}>
            Your profile
          </Menu.Item>
          <Menu.Item component="a" href="/account" leftSection={<IconLock size={14} aria-hidden />}>
            Password, second factor, browsers
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={14} aria-hidden />} onClick={() => form.current?.submit()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** Keys: g and a letter goes to a page; / focuses search; Ctrl-K and ? open the palette. */
function useKeys(openPalette: () => void) {
  const navigate = useNavigate();
  const params = useParamsOfPlace();
  const went = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, [contenteditable]")) return;
      if (event.key === "/" || event.key === "?") {
        event.preventDefault();
        const search = event.key === "/" ? document.querySelector<HTMLElement>("[data-page-search]") : null;
        if (search) search.focus();
        else openPalette();
        return;
      }
      if (event.key === "g") {
        went.current = Date.now();
        return;
      }
      const destination = Date.now() - went.current < 1500 ? destinationsOf(params.org).find((each) => each.key === event.key) : undefined;
      if (destination) {
        event.preventDefault();
        went.current = 0;
        void navigate({ to: destination.to as "/o/$org/e/$env", params, search: ((before: Record<string, unknown>) => keepView(before)) as never });
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [navigate, openPalette, params.org, params.env]);
}

/** Says that the clock of this browser is wrong: "now" is then the server's. */
function ClockNote() {
  const skew = useClockSkew();
  if (skew === 0) return null;
  return (
    <Note tone="warn">
      The clock of this computer is {duration(Math.abs(skew) / 1000)} {skew > 0 ? "ahead" : "behind"}. Pages go by the time of the server; points that are sent with the time of this computer are stored under that time.
    </Note>
  );
}

/** The frame of every page of an environment. */
export function Shell() {
  const { organization, environment } = useScope();
  const environments = useQuery(environmentsQuery(organization));
  const [palette, setPalette] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  useKeys(() => setPalette(true));
  useEffect(() => keepPlace(organization, environment), [organization, environment]);
  // Newer browsers answer with a promise, which is no clean-up.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [path]);
  const found = environments.data?.find((each) => each.id === environment);
  if (environments.error || (environments.data && !found)) return <Missing />;
  return (
    <div className="shell">
      <a href="#main" className="skip">
        To the content
      </a>
      <header className="shell-top">
        <span className="narrow-only">
          <ActionIcon variant="subtle" color="gray" c="inherit" aria-label="Open the navigation" onClick={() => setDrawer(true)}>
            <IconMenu2 size={18} aria-hidden />
          </ActionIcon>
        </span>
        <Brand />
        <PlaceSwitch />
        <span className="grow" />
        <Button variant="default" className="wide-only" leftSection={<IconSearch size={14} aria-hidden />} rightSection={<kbd>Ctrl K</kbd>} onClick={() => setPalette(true)}>
          Find
        </Button>
        <span className="narrow-only">
          <ActionIcon variant="subtle" color="gray" c="inherit" aria-label="Find" onClick={() => setPalette(true)}>
            <IconSearch size={16} aria-hidden />
          </ActionIcon>
        </span>
        <Person />
      </header>
      <div className="shell-nav">
        <Navigation />
      </div>
      <main id="main" ref={main} className="shell-main" tabIndex={-1}>
        <ClockNote />
        {found && found.state !== "active" && (
          <Note tone="warn">
            This environment is {found.state}: its keys are refused, its metrics can be read. {found.delete_after ? `It is deleted for good after ${found.delete_after}.` : ""}
          </Note>
        )}
        <Outlet />
      </main>
      <Drawer opened={drawer} onClose={() => setDrawer(false)} title="Tidemark" size={260} lockScroll={false} transitionProps={{ duration: 0 }} closeButtonProps={{ "aria-label": "Close" }}>
        <Navigation done={() => setDrawer(false)} />
      </Drawer>
      {palette && (
        <Suspense>
          <Palette close={() => setPalette(false)} />
        </Suspense>
      )}
    </div>
  );
}
