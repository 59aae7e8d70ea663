import { IconBell, IconChartDots, IconChartLine, IconCoins, IconDatabaseImport, IconHome, IconLayoutDashboard, IconReceipt, IconRoute, IconServer, IconSettings, IconStack2 } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Permission } from "../api/vocabulary.gen";

export interface Destination {
  to: string;
  name: string;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
  /** The key after "g". */
  key: string;
  needs?: Permission;
  exact?: boolean;
  /** Only in this organisation. */
  organization?: string;
}

export const destinations: readonly Destination[] = [
  { to: "/o/$org/e/$env", name: "Home", icon: IconHome, key: "h", exact: true },
  { to: "/o/$org/e/$env/explorer", name: "Explorer", icon: IconChartLine, key: "e", needs: "metrics:read" },
  { to: "/o/$org/e/$env/dashboards", name: "Dashboards", icon: IconLayoutDashboard, key: "b" },
  { to: "/o/$org/e/$env/resources", name: "Resources", icon: IconServer, key: "r" },
  { to: "/o/$org/e/$env/cardinality", name: "Cardinality", icon: IconChartDots, key: "c", needs: "catalog:read" },
  { to: "/o/$org/e/$env/lineage", name: "Pipeline", icon: IconRoute, key: "l", needs: "catalog:read" },
  { to: "/o/$org/e/$env/alerts", name: "Alerts", icon: IconBell, key: "a" },
  { to: "/o/$org/e/$env/data-in", name: "Data in", icon: IconDatabaseImport, key: "d" },
  { to: "/o/$org/e/$env/receipts", name: "Receipts", icon: IconReceipt, key: "t" },
  { to: "/o/$org/e/$env/billing", name: "Usage and invoices", icon: IconCoins, key: "u" },
  { to: "/o/$org/e/$env/platform", name: "Platform", icon: IconStack2, key: "p", organization: "org-self" },
  { to: "/o/$org/e/$env/settings/environments", name: "Settings", icon: IconSettings, key: "s" },
];

/** Pages below others, and what can be begun, for the palette. */
export const deeper: readonly { to: string; name: string; kind: "Page" | "Action"; needs?: Permission }[] = [
  { to: "alerts/rules", name: "Alert rules", kind: "Page", needs: "alerts:read" },
  { to: "alerts/packs", name: "Alert packs", kind: "Page", needs: "alerts:read" },
  { to: "alerts/silences", name: "Silences and maintenance windows", kind: "Page", needs: "alerts:read" },
  { to: "alerts/inhibitions", name: "Inhibitions", kind: "Page", needs: "alerts:read" },
  { to: "alerts/integrations", name: "Integrations", kind: "Page", needs: "integrations:read" },
  { to: "alerts/rules/new", name: "New alert rule", kind: "Action", needs: "alerts:write" },
  { to: "alerts/silences?new=1", name: "New silence", kind: "Action", needs: "alerts:write" },
  { to: "billing/invoices", name: "Invoices", kind: "Page", needs: "billing:read" },
  { to: "billing/plan", name: "Plan", kind: "Page", needs: "billing:read" },
  { to: "billing/budget", name: "Budget and credits", kind: "Page", needs: "billing:read" },
  { to: "billing/what-if", name: "What if less were sent", kind: "Page", needs: "billing:read" },
  { to: "billing/reconciliation", name: "Reconciliation", kind: "Page", needs: "billing:read" },
  { to: "dead-letters", name: "Dead letters", kind: "Page" },
  { to: "settings/people", name: "People and invitations", kind: "Page", needs: "members:read" },
  { to: "settings/keys", name: "Service accounts and keys", kind: "Page", needs: "service-accounts:read" },
  { to: "settings/retention", name: "Retention", kind: "Page", needs: "retention:read" },
  { to: "settings/limits", name: "Limits: quotas and series", kind: "Page", needs: "budgets:read" },
  { to: "settings/deletions", name: "Deletions and certificates", kind: "Page" },
  { to: "settings/catalogue", name: "Metric catalogue", kind: "Page", needs: "catalog:read" },
  { to: "settings/audit-log", name: "Audit log", kind: "Page", needs: "audit:read" },
  { to: "platform/sizing", name: "Sizing: machines and cost of a load", kind: "Page" },
  { to: "settings/profile", name: "Your profile and time zone", kind: "Page" },
];

/** The pages that the organisation has. */
export function destinationsOf(organization: string): readonly Destination[] {
  return destinations.filter((each) => each.organization === undefined || each.organization === organization);
}
