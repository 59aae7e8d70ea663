import { queryOptions } from "@tanstack/react-query";
import { body, control, everyPage, inOrganization, metrics, read, setFormToken } from "./client";
import type { components as Control } from "./control-api.gen";
import type { components as Metrics } from "./metrics-api.gen";

export type Schemas = Control["schemas"];
export type MetricsSchemas = Metrics["schemas"];

/** Who is signed in; also takes the token that changes need. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async () => {
    const session = await body(control.GET("/api/v1/session"));
    setFormToken(session.csrf_token);
    return session;
  },
  staleTime: 5 * 60_000,
  retry: false,
});

/** What the person belongs to, and may do there. */
export const callerQuery = queryOptions({
  queryKey: ["caller"],
  queryFn: () => body(control.GET("/api/v1/caller")),
  staleTime: 60_000,
});

export const organizationsQuery = queryOptions({
  queryKey: ["organizations"],
  queryFn: () =>
    everyPage((cursor) => body(control.GET("/api/v1/organizations", { params: { query: { limit: 200, ...(cursor ? { cursor } : {}) } } }))),
  staleTime: 60_000,
});

export const environmentsQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "environments"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/environments", {
            params: { path: { organization_id: organization }, query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
    staleTime: 30_000,
  });

export const resourcesQuery = (organization: string, environment: string) =>
  queryOptions({
    queryKey: [organization, environment, "resources"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/resources", {
            params: { path: { organization_id: organization, environment_id: environment }, query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
    staleTime: 15_000,
  });

export const metricsQuery = (organization: string, environment: string) =>
  queryOptions({
    queryKey: [organization, environment, "metrics"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/metrics", {
            params: { path: { organization_id: organization, environment_id: environment }, query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
    staleTime: 15_000,
  });

/** Series of a resource by metric, now and on seven days. */
export const resourceSeriesQuery = (organization: string, environment: string, resource: { resource_type: string; resource_id: string }) =>
  queryOptions({
    queryKey: [organization, environment, "resource-series", resource],
    queryFn: () =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/cardinality", {
          params: { path: { organization_id: organization, environment_id: environment }, query: resource },
        }),
      ),
    staleTime: 60_000,
  });

export type QueryRequest = MetricsSchemas["QueryRequest"];
export type QueryResponse = MetricsSchemas["QueryResponse"];

/** A question to the Metrics API, asked with the person's session. */
export function askMetrics(organization: string, request: QueryRequest, signal?: AbortSignal): Promise<QueryResponse> {
  return body(
    metrics.POST("/v2/metrics/{dataset}/query", {
      params: { path: { dataset: "cloud" } },
      headers: inOrganization(organization),
      body: request,
      ...(signal ? { signal } : {}),
    }),
  );
}

/** What a question would cost, asked before it runs. */
export const estimateQuery = (organization: string, request: QueryRequest) =>
  queryOptions({
    queryKey: [organization, "estimate", request],
    queryFn: ({ signal }) => body(metrics.POST("/v2/metrics/{dataset}/estimate", { params: { path: { dataset: "cloud" } }, headers: inOrganization(organization), body: request, signal })),
    staleTime: 60_000,
    placeholderData: (before) => before,
  });

export const metricSeriesQuery = (organization: string, request: QueryRequest, refresh: number | false) =>
  queryOptions({
    queryKey: [organization, "series", request],
    queryFn: ({ signal }) => askMetrics(organization, request, signal),
    refetchInterval: refresh,
    staleTime: 1000,
    placeholderData: (before) => before,
  });

/** Values that a label has had, for completion. */
export const labelValuesQuery = (organization: string, environment: string, label: string, metric: string | undefined) =>
  queryOptions({
    queryKey: [organization, environment, "label-values", label, metric],
    queryFn: async () => {
      const answer = await body(
        metrics.POST("/v2/metrics/{dataset}/attributes", {
          params: { path: { dataset: "cloud" } },
          headers: inOrganization(organization),
          body: {
            ...(metric ? { metric } : {}),
            group_by: [label],
            filter: { op: "EQ", field: "environment.id", value: environment as never },
            intervals: ["PT6H/now"],
            limit: 500,
          },
        }),
      );
      return answer.data.map((row) => (row as Record<string, unknown>)[label]).filter((value): value is string => typeof value === "string");
    },
    staleTime: 60_000,
  });

/** The object and its version, for a change that must not overwrite somebody else's. */
export const retentionQuery = (organization: string, environment: string) =>
  queryOptions({
    queryKey: [organization, environment, "retention"],
    queryFn: () =>
      read(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/retention", {
          params: { path: { organization_id: organization, environment_id: environment } },
        }),
      ),
  });

/** A page of the audit log, newest first. */
export const auditQuery = (organization: string, filter: { since?: string; action?: string; actor_id?: string; object_id?: string; cursor?: string }) =>
  queryOptions({
    queryKey: [organization, "audit-log", filter],
    queryFn: () =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/audit-log", {
          params: { path: { organization_id: organization }, query: { limit: 50, ...filter } },
        }),
      ),
    staleTime: 10_000,
  });
