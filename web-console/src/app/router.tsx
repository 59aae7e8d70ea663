import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import type { QueryClient } from "@tanstack/react-query";
import { Problem } from "../api/problem";
import { callerQuery, environmentsQuery, organizationsQuery, sessionQuery } from "../api/queries";
import { viewSearch } from "../lib/scope";
import { setOwnZone } from "../lib/time-range";
import { Failure, Skeleton } from "../ui/states";
import { lastPlace } from "./last-place";
import { Missing } from "./missing";
import { queryClient } from "./query-client";
import { SessionEnd } from "./session-end";
import { Shell } from "./shell";

/** Sends the browser to the sign-in, and back here after it. */
function signIn(): Promise<never> {
  const here = location.pathname + location.search;
  location.assign(`/auth/sign-in?return_to=${encodeURIComponent(here)}`);
  // The browser leaves; until then nothing is shown.
  return new Promise(() => {});
}

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  beforeLoad: async ({ context }) => {
    try {
      const [session] = await Promise.all([context.queryClient.ensureQueryData(sessionQuery), context.queryClient.ensureQueryData(callerQuery)]);
      setOwnZone(session.person.time_zone);
    } catch (fault) {
      if (fault instanceof Problem && fault.status === 401) return signIn();
      throw fault;
    }
    return undefined;
  },
  component: () => (
    <>
      <Outlet />
      <SessionEnd />
    </>
  ),
  errorComponent: ({ error, reset }) => (
    <main className="shell-main">
      <Failure fault={error} retry={reset} />
    </main>
  ),
  notFoundComponent: Missing,
});

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: async ({ context }) => {
    const organizations = await context.queryClient.ensureQueryData(organizationsQuery);
    const last = lastPlace();
    const organization =
      organizations.find((each) => each.id === last.organization) ?? organizations.find((each) => each.state === "active" && each.id !== "org-self") ?? organizations[0];
    if (!organization) return;
    throw redirect({ to: "/o/$org", params: { org: organization.id } });
  },
  component: lazyRouteComponent(() => import("../features/welcome/first-organization"), "FirstOrganization"),
});

const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "signed-in",
  component: () => (
    <main className="shell-main">
      <h1>You are signed in again</h1>
      <p>Close this tab and go on in the one you came from; nothing you typed is lost.</p>
    </main>
  ),
});

const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "o/$org",
});

const organizationStartRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  beforeLoad: async ({ context, params }) => {
    const environments = await context.queryClient.ensureQueryData(environmentsQuery(params.org));
    const last = lastPlace();
    const environment = environments.find((each) => params.org === last.organization && each.id === last.environment) ?? environments.find((each) => each.state === "active") ?? environments[0];
    if (environment) throw redirect({ to: "/o/$org/e/$env", params: { org: params.org, env: environment.id } });
  },
  component: lazyRouteComponent(() => import("../features/welcome/first-environment"), "FirstEnvironment"),
  errorComponent: ({ error, reset }) => (error instanceof Problem && error.status === 404 ? <Missing /> : <Failure fault={error} retry={reset} />),
});

export const placeRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "e/$env",
  validateSearch: viewSearch,
  component: Shell,
});

const homeRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "/",
  component: lazyRouteComponent(() => import("../features/home/home-page"), "HomePage"),
});

const dataInRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "data-in",
  component: lazyRouteComponent(() => import("../features/data-in/data-in-page"), "DataInPage"),
});

const explorerRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "explorer",
  validateSearch: (search: Record<string, unknown>) => search as Record<string, unknown> & { metric?: string },
  component: lazyRouteComponent(() => import("../features/explorer/explorer-page"), "ExplorerPage"),
});

const resourcesRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "resources",
  component: lazyRouteComponent(() => import("../features/resources/resources-page"), "ResourcesPage"),
});

const resourceRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "resources/$resource",
  component: lazyRouteComponent(() => import("../features/resources/resource-page"), "ResourcePage"),
});

const environmentsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/environments",
  component: lazyRouteComponent(() => import("../features/environments/environments-page"), "EnvironmentsPage"),
});

const peopleRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/people",
  component: lazyRouteComponent(() => import("../features/people/people-page"), "PeoplePage"),
});

const profileRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/profile",
  component: lazyRouteComponent(() => import("../features/profile/profile-page"), "ProfilePage"),
});

const limitsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/limits",
  component: lazyRouteComponent(() => import("../features/limits/limits-page"), "LimitsPage"),
});

const platformRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "platform",
  component: lazyRouteComponent(() => import("../features/platform/platform-page"), "PlatformPage"),
});

const sizingRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "platform/sizing",
  component: lazyRouteComponent(() => import("../features/sizing/sizing-page"), "SizingPage"),
});

const keysRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/keys",
  component: lazyRouteComponent(() => import("../features/keys/keys-page"), "KeysPage"),
});

const retentionRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/retention",
  component: lazyRouteComponent(() => import("../features/retention/retention-page"), "RetentionPage"),
});

const catalogueRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/catalogue",
  component: lazyRouteComponent(() => import("../features/catalogue/catalogue-page"), "CataloguePage"),
});

const auditLogRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/audit-log",
  component: lazyRouteComponent(() => import("../features/audit-log/audit-log-page"), "AuditLogPage"),
});

const dashboardsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "dashboards",
  component: lazyRouteComponent(() => import("../features/dashboards/dashboards-page"), "DashboardsPage"),
});

const dashboardRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "dashboards/$dashboard",
  validateSearch: (search: Record<string, unknown>) => search as { resource?: string; edit?: number; version?: number; where?: unknown[] },
  component: lazyRouteComponent(() => import("../features/dashboards/dashboard-page"), "DashboardPage"),
});

const receiptsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "receipts",
  validateSearch: (search: Record<string, unknown>) => search as { receipt?: string },
  component: lazyRouteComponent(() => import("../features/receipts/receipts-page"), "ReceiptsPage"),
});

const incidentsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts",
  component: lazyRouteComponent(() => import("../features/alerts/incidents-page"), "IncidentsPage"),
});

const incidentRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts/incidents/$incident",
  component: lazyRouteComponent(() => import("../features/alerts/incident-page"), "IncidentPage"),
});

const rulesRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts/rules",
  component: lazyRouteComponent(() => import("../features/alerts/rules-page"), "RulesPage"),
});

const ruleRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts/rules/$rule",
  component: lazyRouteComponent(() => import("../features/alerts/rule-page"), "RulePage"),
});

const integrationsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts/integrations",
  component: lazyRouteComponent(() => import("../features/alerts/integrations-page"), "IntegrationsPage"),
});

const integrationRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts/integrations/$integration",
  component: lazyRouteComponent(() => import("../features/alerts/integration-page"), "IntegrationPage"),
});

const silencesRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts/silences",
  component: lazyRouteComponent(() => import("../features/alerts/silences-page"), "SilencesPage"),
});

const inhibitionsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts/inhibitions",
  component: lazyRouteComponent(() => import("../features/alerts/inhibitions-page"), "InhibitionsPage"),
});

const packsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "alerts/packs",
  component: lazyRouteComponent(() => import("../features/alerts/packs-page"), "PacksPage"),
});

const budgetRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "billing/budget",
  component: lazyRouteComponent(() => import("../features/billing/budget-page"), "BudgetPage"),
});

const whatIfRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "billing/what-if",
  component: lazyRouteComponent(() => import("../features/billing/what-if-page"), "WhatIfPage"),
});

const usageRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "billing",
  component: lazyRouteComponent(() => import("../features/billing/usage-page"), "UsagePage"),
});

const invoicesRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "billing/invoices",
  component: lazyRouteComponent(() => import("../features/billing/invoices-page"), "InvoicesPage"),
});

const invoiceRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "billing/invoices/$period",
  component: lazyRouteComponent(() => import("../features/billing/invoice-page"), "InvoicePage"),
});

const planRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "billing/plan",
  component: lazyRouteComponent(() => import("../features/billing/plan-page"), "PlanPage"),
});

const reconciliationRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "billing/reconciliation",
  component: lazyRouteComponent(() => import("../features/billing/reconciliation-page"), "ReconciliationPage"),
});

const deletionsRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "settings/deletions",
  component: lazyRouteComponent(() => import("../features/deletions/deletions-page"), "DeletionsPage"),
});

const deadLettersRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "dead-letters",
  component: lazyRouteComponent(() => import("../features/dead-letters/dead-letters-page"), "DeadLettersPage"),
});

const cardinalityRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "cardinality",
  component: lazyRouteComponent(() => import("../features/cardinality/cardinality-page"), "CardinalityPage"),
});

const lineageRoute = createRoute({
  getParentRoute: () => placeRoute,
  path: "lineage",
  component: lazyRouteComponent(() => import("../features/lineage/lineage-page"), "LineagePage"),
});

const routeTree = rootRoute.addChildren([
  startRoute,
  signedInRoute,
  organizationRoute.addChildren([organizationStartRoute, placeRoute.addChildren([homeRoute, dataInRoute, explorerRoute, resourcesRoute, resourceRoute, dashboardsRoute, dashboardRoute, incidentsRoute, incidentRoute, rulesRoute, ruleRoute, integrationsRoute, integrationRoute, silencesRoute, inhibitionsRoute, packsRoute, budgetRoute, whatIfRoute, usageRoute, invoicesRoute, invoiceRoute, planRoute, reconciliationRoute, receiptsRoute, deadLettersRoute, cardinalityRoute, lineageRoute, environmentsRoute, profileRoute, limitsRoute, platformRoute, sizingRoute, peopleRoute, keysRoute, retentionRoute, deletionsRoute, catalogueRoute, auditLogRoute])]),
]);

export const router = createRouter({
  routeTree,
  basepath: "/console",
  context: { queryClient },
  defaultPreload: "intent",
  defaultPendingComponent: () => <Skeleton />,
  defaultErrorComponent: ({ error, reset }) => <Failure fault={error} retry={reset} />,
  defaultNotFoundComponent: Missing,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
