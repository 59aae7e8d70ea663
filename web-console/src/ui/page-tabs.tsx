import { Link } from "@tanstack/react-router";
import { useScope } from "../lib/scope";

/** Pages that belong together, side by side. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly (readonly [path: string, name: string, exact?: boolean])[] }) {
  const { organization, environment } = useScope();
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([path, name, exact]) => (
        <Link
          key={path}
          to={`/o/$org/e/$env/${path}` as "/o/$org/e/$env"}
          params={{ org: organization, env: environment }}
          search={((before: { tz?: string }) => (before.tz ? { tz: before.tz } : {})) as never}
          className="tab"
          activeOptions={{ includeSearch: false, exact: exact ?? false }}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
