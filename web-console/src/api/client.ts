import createClient, { type Middleware } from "openapi-fetch";
import type { paths as ControlPaths } from "./control-api.gen";
import type { paths as MetricsPaths } from "./metrics-api.gen";
import { cutOff, Problem, problemOf, stalled, unreachable } from "./problem";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

let token: string | undefined;
const listeners = new Set<() => void>();

/** Called whenever the API says that the session is over. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const clocks = new Set<(serverTime: number) => void>();

/** Called with the server's time, to the second, as often as it answers. */
export function onServerTime(listener: (serverTime: number) => void): () => void {
  clocks.add(listener);
  return () => clocks.delete(listener);
}

/** The text that changes of this session carry. */
export function setFormToken(value: string): void {
  token = value;
}

const session: Middleware = {
  onRequest({ request }) {
    if (!SAFE.has(request.method) && token !== undefined) {
      request.headers.set("X-CSRF-TOKEN", token);
    }
    return request;
  },
  onResponse({ response }) {
    const date = Date.parse(response.headers.get("Date") ?? "");
    if (!Number.isNaN(date)) clocks.forEach((listener) => listener(date));
    if (response.status === 401) {
      listeners.forEach((listener) => listener());
    }
  },
};

/** The API answers within seconds, a question in the slow lane within a minute; what takes longer is stalled. */
const CONTROL_LIMIT_MS = 30_000;
const METRICS_LIMIT_MS = 90_000;

/** Ends a request whose answer, or the rest of it, does not come. */
function limitedFetch(milliseconds: number): (request: Request) => Promise<Response> {
  return (request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(milliseconds)]) });
}

const settings = { baseUrl: globalThis.location?.origin ?? "", credentials: "same-origin" as const };

/** The control API. */
export const control = createClient<ControlPaths>({ ...settings, fetch: limitedFetch(CONTROL_LIMIT_MS) });
control.use(session);

/** The Metrics API, with the session of the person. */
export const metrics = createClient<MetricsPaths>({ ...settings, fetch: limitedFetch(METRICS_LIMIT_MS) });
metrics.use(session);

/** Names the organisation on paths that do not. */
export function inOrganization(organization: string): { "Tidemark-Organization": string } {
  return { "Tidemark-Organization": organization };
}

interface Answer<T> {
  data?: T | undefined;
  error?: unknown;
  response: Response;
}

/** The body and the version of what was read; throws a {@link Problem}. */
export async function read<T>(answer: Promise<Answer<T>>): Promise<{ data: T; etag: string }> {
  let got: Answer<T>;
  try {
    got = await answer;
  } catch (fault) {
    if (fault instanceof DOMException && fault.name === "TimeoutError") throw stalled();
    if (fault instanceof DOMException && fault.name === "AbortError") throw fault;
    if (fault instanceof SyntaxError) throw cutOff();
    throw unreachable();
  }
  if (!got.response.ok) {
    throw problemOf(got.response.status, got.error, got.response.headers.get("Retry-After"));
  }
  return { data: got.data as T, etag: got.response.headers.get("ETag") ?? "" };
}

/** The body alone. */
export async function body<T>(answer: Promise<Answer<T>>): Promise<T> {
  return (await read(answer)).data;
}

/** A header that makes a repeated creation create nothing more. */
export function once(): { "Idempotency-Key": string } {
  return { "Idempotency-Key": crypto.randomUUID() };
}

interface Page<T> {
  data: T[];
  meta: { next_cursor?: string };
}

/** Every item of a list that comes in pages, up to a bound that no screen shows more of. */
export async function everyPage<T>(page: (cursor: string | undefined) => Promise<Page<T>>, most = 2000): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const got: Page<T> = await page(cursor);
    all.push(...got.data);
    cursor = got.meta.next_cursor;
  } while (cursor !== undefined && all.length < most);
  return all;
}

/** Whether it is worth another try without anybody's doing. */
export function isPassing(fault: unknown): boolean {
  return fault instanceof Problem && (fault.status === 0 || fault.status === 429 || fault.status >= 502);
}
