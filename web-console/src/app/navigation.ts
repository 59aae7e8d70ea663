import { IconBell, IconChartDots, IconChartLine, IconCoins, IconDatabaseImport, IconHome, IconLayoutDashboard, IconReceipt, IconServer, IconSettings } from "@tabler/icons-react";
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
}

export const destinations: readonly Destination[] = [
  { to: "/o/$org/e/$env", name: "Home", icon: IconHome, key: "h", exact: true },
  { to: "/o/$org/e/$env/explorer", name: "Explorer", icon: IconChartLine, key: "e", needs: "metrics:read" },
  { to: "/o/$org/e/$env/dashboards", name: "Dashboards", icon: IconLayoutDashboard, key: "b" },
  { to: "/o/$org/e/$env/resources", name: "Resources", icon: IconServer, key: "r" },
  { to: "/o/$org/e/$env/cardinality", name: "Cardinality", icon: IconChartDots, key: "c", needs: "catalog:read" },
  { to: "/o/$org/e/$env/alerts", name: "Alerts", icon: IconBell, key: "a" },
  { to: "/o/$org/e/$env/data-in", name: "Data in", icon: IconDatabaseImport, key: "d" },
  { to: "/o/$org/e/$env/receipts", name: "Receipts", icon: IconReceipt, key: "t" },
  { to: "/o/$org/e/$env/billing", name: "Usage and invoices", icon: IconCoins, key: "u" },
  { to: "/o/$org/e/$env/settings/environments", name: "Settings", icon: IconSettings, key: "s" },
];
