import { Link } from "@tanstack/react-router";
import { useScope } from "../lib/scope";

const TABS = [
  ["environments", "Environments"],
  ["people", "People"],
  ["keys", "Service accounts and keys"],
  ["retention", "Retention"],
  ["limits", "Limits"],
  ["deletions", "Deletions"],
  ["catalogue", "Metric catalogue"],
  ["audit-log", "Audit log"],
  ["profile", "Your profile"],
] as const;

/** The pages of the settings, side by side. */
export function SettingsTabs() {
  const { organization, environment } = useScope();
  return (
    <nav className="tabs" aria-label="Settings">
      {TABS.map(([path, name]) => (
        <Link
          key={path}
          to={`/o/$org/e/$env/settings/${path}` as "/o/$org/e/$env"}
          params={{ org: organization, env: environment }}
          search={((before: { tz?: string }) => (before.tz ? { tz: before.tz } : {})) as never}
          className="tab"
          activeOptions={{ includeSearch: false }}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
