import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { body, control, everyPage, read } from "./client";
import type { Schemas } from "./queries";

const path = (organization: string, environment: string) => ({ organization_id: organization, environment_id: environment });

export const alertRulesQuery = (organization: string, environment: string) =>
  queryOptions({
    queryKey: [organization, environment, "alert-rules"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules", {
            params: { path: path(organization, environment), query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
    refetchInterval: 15_000,
  });

export const alertRuleQuery = (organization: string, environment: string, id: string) =>
  queryOptions({
    queryKey: [organization, environment, "alert-rule", id],
    queryFn: () =>
      read(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-rules/{alert_rule_id}", {
          params: { path: { ...path(organization, environment), alert_rule_id: id } },
        }),
      ),
  });

/** Shows a rule as it was saved, on its page and in the list, before the list is read again. */
export const showRule = (client: QueryClient, organization: string, environment: string, saved: { data: Schemas["AlertRule"]; etag: string }) => {
  client.setQueryData(alertRuleQuery(organization, environment, saved.data.id).queryKey, saved);
  client.setQueryData(alertRulesQuery(organization, environment).queryKey, (rules) => rules?.map((each) => (each.id === saved.data.id ? saved.data : each)));
};

export const incidentsQuery = (organization: string, environment: string, filter: { state?: Schemas["IncidentState"]; rule_id?: string }) =>
  infiniteQueryOptions({
    queryKey: [organization, environment, "incidents", filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/incidents", {
          params: { path: path(organization, environment), query: { limit: 50, ...filter, ...(pageParam ? { cursor: pageParam } : {}) } },
        }),
      ),
    getNextPageParam: (last) => last.meta.next_cursor,
    refetchInterval: 15_000,
  });

export const incidentQuery = (organization: string, environment: string, id: string) =>
  queryOptions({
    queryKey: [organization, environment, "incident", id],
    queryFn: () =>
      read(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/incidents/{incident_id}", {
          params: { path: { ...path(organization, environment), incident_id: id } },
        }),
      ),
    refetchInterval: 15_000,
  });

export const integrationsQuery = (organization: string, environment: string) =>
  queryOptions({
    queryKey: [organization, environment, "integrations"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations", {
            params: { path: path(organization, environment), query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
    refetchInterval: 30_000,
  });

export const integrationQuery = (organization: string, environment: string, id: string) =>
  queryOptions({
    queryKey: [organization, environment, "integration", id],
    queryFn: () =>
      read(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}", {
          params: { path: { ...path(organization, environment), integration_id: id } },
        }),
      ),
  });

export const deliveriesQuery = (organization: string, environment: string, id: string) =>
  infiniteQueryOptions({
    queryKey: [organization, environment, "integration", id, "deliveries"],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}/deliveries", {
          params: { path: { ...path(organization, environment), integration_id: id }, query: { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } },
        }),
      ),
    getNextPageParam: (last) => last.meta.next_cursor,
    refetchInterval: 5_000,
  });

export const deliveryQuery = (organization: string, environment: string, integration: string, delivery: string) =>
  queryOptions({
    queryKey: [organization, environment, "integration", integration, "deliveries", delivery],
    queryFn: () =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/integrations/{integration_id}/deliveries/{delivery_id}", {
          params: { path: { ...path(organization, environment), integration_id: integration, delivery_id: delivery } },
        }),
      ),
  });

export const silencesQuery = (organization: string, environment: string) =>
  queryOptions({
    queryKey: [organization, environment, "silences"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/silences", {
            params: { path: path(organization, environment), query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
    refetchInterval: 30_000,
  });

export const inhibitionsQuery = (organization: string, environment: string) =>
  queryOptions({
    queryKey: [organization, environment, "inhibitions"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/inhibitions", {
            params: { path: path(organization, environment), query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
  });

export const alertPacksQuery = (organization: string, environment: string) =>
  queryOptions({
    queryKey: [organization, environment, "alert-packs"],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/environments/{environment_id}/alert-packs", { params: { path: path(organization, environment) } })),
  });
