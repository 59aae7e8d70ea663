import { http, HttpResponse, type JsonBodyType } from "msw";
import { setupServer } from "msw/node";
import type { paths } from "../api/control-api.gen";
import type { Schemas } from "../api/queries";

/** Answers of the API in tests. What no handler answers fails the test that asked. */
export const server = setupServer();

type Paths = keyof paths & string;
type Method = "get" | "post" | "put" | "delete";
type JsonOf<R> = R extends { content: { "application/json": infer Body } } ? Body : never;
/** What the contract says that an operation answers with 200 or 201. */
type AnswerOf<P extends Paths, M extends Method> = paths[P] extends Record<M, { responses: infer R }> ? JsonOf<R[keyof R & (200 | 201 | 202)]> : never;

/** A request as a handler of a test sees it. */
export interface Asked {
  body: unknown;
  headers: Headers;
  address: URL;
}

/**
 * Answers an operation of the control API; the compiler holds the answer to the contract. A function is called for each request
 * and may answer with a problem instead.
 */
export function answer<P extends Paths, M extends Method>(method: M, path: P, body: AnswerOf<P, M> | ((asked: Asked) => AnswerOf<P, M> | Response | Promise<AnswerOf<P, M> | Response>), headers: Record<string, string> = {}): void {
  const pattern = `*${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
  server.use(
    http[method](pattern, async ({ request }) => {
      const text = await request.text();
      const asked: Asked = { body: text === "" ? undefined : JSON.parse(text), headers: request.headers, address: new URL(request.url) };
      const found = typeof body === "function" ? await (body as (asked: Asked) => unknown)(asked) : body;
      return found instanceof Response ? found : HttpResponse.json(found as JsonBodyType, { headers });
    }),
  );
}

/** An answer with a version, as of an object that can be changed. */
export function versioned(body: JsonBodyType, version: number): Response {
  return HttpResponse.json(body, { headers: { ETag: `"${version}"` } });
}

export function problem(status: number, fields: Partial<Schemas["Problem"]> & { code: string }): Response {
  return HttpResponse.json({ type: "about:blank", title: fields.code, status, detail: fields.code, ...fields }, { status, headers: { "Content-Type": "application/problem+json" } });
}

/** Who asks, with all permissions that are named. */
export function signedIn(permissions: readonly string[]): void {
  answer("get", "/api/v1/caller", {
    kind: "person",
    permissions: [],
    person: { id: "per-1", display_name: "Ada", mail: "ada@example.org" },
    organizations: [{ organization_id: "org-a", display_name: "A", state: "active", grants: [], permissions: [...permissions], environments: [] }],
  } as never);
}
