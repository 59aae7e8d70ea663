import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useScope } from "../lib/scope";

/** Pages that belong together, side by side. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly (readonly [path: string, name: string, exact?: boolean])[] }) {
  const { organization, environment } = useScope();
  const bar = useRef<HTMLElement>(null);
  // On a narrow screen the page's own tab may lie beyond the edge.
  useEffect(() => {
    const own = bar.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (bar.current && own) {
      bar.current.scrollLeft = own.offsetLeft - bar.current.offsetLeft - (bar.current.clientWidth - own.offsetWidth) / 2;
    }
  }, []);
  return (
    <nav ref={bar} className="tabs" aria-label={label}>
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
