import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { body, control, read } from "./client";
import type { Schemas } from "./queries";

export interface UsageQuestion {
  from: string;
  to: string;
  meter: string;
  by: Schemas["UsageGroup"];
  environment_id?: string;
  resource_type?: string;
  resource_id?: string;
  metric?: string;
}

/** What the use of a resource costs in a month, before rounding. */
export const usageCostsQuery = (organization: string, period: string, resource: { environment_id: string; resource_type: string; resource_id: string }) =>
  queryOptions({
    queryKey: [organization, "usage-costs", period, resource],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/invoices/{period}/costs", { params: { path: { organization_id: organization, period }, query: resource } })),
    staleTime: 60_000,
  });

export const usageQuery = (organization: string, question: UsageQuestion) =>
  infiniteQueryOptions({
    queryKey: [organization, "usage", question],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(control.GET("/api/v1/organizations/{organization_id}/usage", { params: { path: { organization_id: organization }, query: { limit: 200, ...question, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    getNextPageParam: (last) => last.meta.next_cursor,
    staleTime: 15_000,
  });

export const usageReceiptsQuery = (organization: string, question: { hour: string; environment_id?: string }) =>
  infiniteQueryOptions({
    queryKey: [organization, "usage-receipts", question],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(control.GET("/api/v1/organizations/{organization_id}/usage/receipts", { params: { path: { organization_id: organization }, query: { limit: 100, ...question, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    getNextPageParam: (last) => last.meta.next_cursor,
  });

/** The plan and its version, for a choice that must not overwrite somebody else's. */
export const planQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "plan"],
    queryFn: () => read(control.GET("/api/v1/organizations/{organization_id}/plan", { params: { path: { organization_id: organization } } })),
  });

export const invoicesQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "invoices"],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/invoices", { params: { path: { organization_id: organization } } })),
    staleTime: 15_000,
  });

export const invoiceQuery = (organization: string, period: string) =>
  queryOptions({
    queryKey: [organization, "invoice", period],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/invoices/{period}", { params: { path: { organization_id: organization, period } } })),
    staleTime: 15_000,
  });

/** With lake the stores are asked too, which reads rows. */
export const reconciliationQuery = (organization: string, from: string, to: string, lake: boolean) =>
  queryOptions({
    queryKey: [organization, "reconciliation", from, to, lake],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/reconciliation", { params: { path: { organization_id: organization }, query: { from, to, ...(lake ? { lake } : {}) } } })),
    placeholderData: (before) => before,
  });

/** The budget of a month and its version. */
export const spendingBudgetQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "spending-budget"],
    queryFn: () => read(control.GET("/api/v1/organizations/{organization_id}/spending-budget", { params: { path: { organization_id: organization } } })),
    staleTime: 15_000,
  });

export const creditsQuery = (organization: string) =>
  queryOptions({
    queryKey: [organization, "credits"],
    queryFn: () => body(control.GET("/api/v1/organizations/{organization_id}/credits", { params: { path: { organization_id: organization } } })),
    staleTime: 15_000,
  });

/** Every tenant with what it uses, costs and pays; for who runs Tidemark. */
export const tenantBillsQuery = (organization: string, period: string) =>
  infiniteQueryOptions({
    queryKey: [organization, "tenant-bills", period],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      body(control.GET("/api/v1/organizations/{organization_id}/tenant-bills", { params: { path: { organization_id: organization }, query: { limit: 100, period, ...(pageParam ? { cursor: pageParam } : {}) } } })),
    getNextPageParam: (last) => last.meta.next_cursor,
    staleTime: 60_000,
  });
