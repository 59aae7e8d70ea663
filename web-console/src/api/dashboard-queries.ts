import { queryOptions } from "@tanstack/react-query";
import { body, control, everyPage, read } from "./client";

export const dashboardsQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "dashboards"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/dashboards", {
            params: { path: { organization_id: organization }, query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
    staleTime: 10_000,
  });

/** The dashboard and its version, for a change that must not overwrite somebody else's. */
export const dashboardQuery = (organization: string, id: string) =>
  queryOptions({
    queryKey: [organization, "dashboard", id],
    queryFn: () => read(control.GET("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}", { params: { path: { organization_id: organization, dashboard_id: id } } })),
    staleTime: 10_000,
  });

export const dashboardVersionsQuery = (organization: string, id: string) =>
  queryOptions({
    queryKey: [organization, "dashboard", id, "versions"],
    queryFn: () =>
      everyPage((cursor) =>
        body(
          control.GET("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}/versions", {
            params: { path: { organization_id: organization, dashboard_id: id }, query: { limit: 200, ...(cursor ? { cursor } : {}) } },
          }),
        ),
      ),
  });

export const dashboardVersionQuery = (organization: string, id: string, version: number) =>
  queryOptions({
    queryKey: [organization, "dashboard", id, "versions", version],
    queryFn: () =>
      body(
        control.GET("/api/v1/organizations/{organization_id}/dashboards/{dashboard_id}/versions/{dashboard_version}", {
          params: { path: { organization_id: organization, dashboard_id: id, dashboard_version: version } },
        }),
      ),
    staleTime: Infinity,
  });

/** Names of people by identifier, where the caller may see them. */
export const peopleQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "people-names"],
    queryFn: async () => {
      const members = await everyPage((cursor) =>
        body(control.GET("/api/v1/organizations/{organization_id}/members", { params: { path: { organization_id: organization }, query: { limit: 200, ...(cursor ? { cursor } : {}) } } })),
      );
      return new Map(members.map((each) => [each.person_id, each.display_name] as const));
    },
    staleTime: 60_000,
    retry: false,
  });
