export type Health = "silent" | "never" | "sending";

interface Seen {
  last_seen?: string | undefined;
  display_name: string;
}

/** The catalogue is up to ten minutes behind: younger than a quarter of an hour is not silence. */
const SILENT_AFTER_MS = 15 * 60_000;
const ORDER: Record<Health, number> = { silent: 0, never: 1, sending: 2 };

export function healthOf(resource: Seen, now: number): Health {
  if (resource.last_seen === undefined) return "never";
  return now - Date.parse(resource.last_seen) > SILENT_AFTER_MS ? "silent" : "sending";
}

/** Silent ones first, the longest silent at the top; then by name. */
export function worstFirst<T extends Seen>(resources: readonly T[], now: number): { resource: T; health: Health }[] {
  return resources
    .map((resource) => ({ resource, health: healthOf(resource, now) }))
    .sort(
      (a, b) =>
        ORDER[a.health] - ORDER[b.health] ||
        (a.health === "silent" ? Date.parse(a.resource.last_seen ?? "") - Date.parse(b.resource.last_seen ?? "") : 0) ||
        a.resource.display_name.localeCompare(b.resource.display_name),
    );
}
