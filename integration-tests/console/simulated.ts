import type { Page, Route } from "@playwright/test";

const PLACE = { organization: "org-a", environment: "production" };
/** Where a simulated person is. */
export const path = `/console/o/${PLACE.organization}/e/${PLACE.environment}`;

const json = (route: Route, body: unknown) => route.fulfill({ status: 200, contentType: "application/json", body: JSON.stringify(body) });

/** A metric of the simulated catalogue. */
export interface SimulatedMetric {
  name: string;
  labels: string[];
}

/**
 * Answers the API in the place of the server, so that a page meets answers that no server of ours gives on purpose: very large, cut
 * off, late, or full of what senders should not send. The console itself is the built one.
 */
export async function simulate(page: Page, permissions: string[], metrics: SimulatedMetric[]): Promise<void> {
  const person = { id: "per-1", display_name: "Ada", mail: "ada@example.org", mail_verified: true };
  const list = (data: unknown[]) => ({ data, meta: {} });
  await page.route("**/api/v1/**", (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith("/session")) return json(route, { person, csrf_token: "t", idle_seconds: 3600, ends_at: "2100-01-01T00:00:00Z" });
    if (pathname.endsWith("/caller")) return json(route, { kind: "person", permissions: [], person, organizations: [{ organization_id: PLACE.organization, grants: [], permissions, environments: [] }] });
    if (pathname.endsWith("/organizations")) return json(route, list([{ id: PLACE.organization, display_name: "A", state: "active" }]));
    if (pathname.endsWith("/environments")) return json(route, list([{ id: PLACE.environment, display_name: "Production", state: "active" }]));
    if (pathname.endsWith("/metrics")) {
      return json(route, list(metrics.map(({ name, labels }) => ({ id: name, name, lifecycle: "active", type: "gauge", unit: "1", discovered: { first_seen: "2026-01-01T00:00:00Z", last_seen: "2026-01-01T00:00:00Z", labels } }))));
    }
    return json(route, list([]));
  });
  // A question that reached the server would say that nobody is signed in.
  await page.route("**/v2/metrics/*/query", (route) => json(route, { data: [], meta: {} }));
  await page.route("**/v2/metrics/*/attributes", (route) => json(route, { data: [], meta: {} }));
  await page.route("**/v2/metrics/*/estimate", (route) => json(route, { allowed: true, estimated_rows: 1, lane: "interactive" }));
}

/** Rows of a query: series of values at the buckets of a time. */
export function rowsOf(series: readonly string[], label: string, times: readonly number[]): Record<string, unknown>[] {
  return times.flatMap((time, index) => series.map((name, which) => ({ timestamp: new Date(time).toISOString(), [label]: name, value: Math.round(1000 + 500 * Math.sin(index / 9 + which)), state: "final" })));
}

export async function answerQueries(page: Page, rows: Record<string, unknown>[]): Promise<void> {
  await page.route("**/v2/metrics/*/query", (route) => json(route, { data: rows, meta: { completeness: { state: "final", complete_until: "2100-01-01T00:00:00Z" } } }));
}
