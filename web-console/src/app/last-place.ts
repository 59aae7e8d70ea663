const KEY = "tidemark.last-place";

/** Where the person was last on this browser; empty when it keeps nothing. */
export function lastPlace(): { organization?: string; environment?: string } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    const { organization, environment } = kept as Record<string, unknown>;
    return { ...(typeof organization === "string" ? { organization } : {}), ...(typeof environment === "string" ? { environment } : {}) };
  } catch {
    return {};
  }
}

export function keepPlace(organization: string, environment: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ organization, environment }));
  } catch {
    // Without it the next visit starts at the first organisation.
  }
}
