import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { DEFAULT_RANGE, type TimeRange, type Zone } from "./time-range";

/** The organisation and environment of the page. */
export function useScope(): { organization: string; environment: string } {
  const params = useParams({ strict: false }) as { org?: string; env?: string };
  return { organization: params.org ?? "", environment: params.env ?? "" };
}

export interface ViewSearch {
  from?: string | undefined;
  to?: string | undefined;
  tz?: Zone | undefined;
}

/** What every page keeps in its address. */
export function viewSearch(search: Record<string, unknown>): ViewSearch {
  const text = (value: unknown) => (typeof value === "string" && value.length <= 40 ? value : undefined);
  return {
    ...(text(search["from"]) ? { from: text(search["from"]) } : {}),
    ...(text(search["to"]) ? { to: text(search["to"]) } : {}),
    ...(search["tz"] === "utc" ? { tz: "utc" as const } : {}),
  };
}

/** Time range and zone of the address, and how to change them. */
export function useView(): { range: TimeRange; zone: Zone; setRange: (range: TimeRange) => void; setZone: (zone: Zone) => void } {
  const search = useSearch({ strict: false }) as ViewSearch;
  const navigate = useNavigate();
  const range = { from: search.from ?? DEFAULT_RANGE.from, to: search.to ?? DEFAULT_RANGE.to };
  const setRange = useCallback(
    (next: TimeRange) => void navigate({ to: ".", search: ((before: object) => ({ ...before, from: next.from, to: next.to })) as never }),
    [navigate],
  );
  const setZone = useCallback(
    (zone: Zone) => void navigate({ to: ".", search: ((before: object) => ({ ...before, tz: zone === "utc" ? "utc" : undefined })) as never, replace: true }),
    [navigate],
  );
  return { range, zone: search.tz ?? "local", setRange, setZone };
}
