import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from "@tanstack/react-router";
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { theme } from "../ui/theme";

/** Opens a page as the router does, at an address below an environment of org-a. Others, by path, are reached from it. */
export function openPage(page: () => ReactNode, path: string, address = path, others: Record<string, () => ReactNode> = {}): { address: () => string; go: (href: string) => Promise<void>; client: QueryClient } {
  const place = "/o/$org/e/$env/";
  const root = createRootRoute({ component: Outlet });
  const shown = createRoute({ getParentRoute: () => root, path: place + path, component: page });
  const reached = Object.entries(others).map(([other, component]) => createRoute({ getParentRoute: () => root, path: place + other, component }));
  const elsewhere = createRoute({ getParentRoute: () => root, path: "$", component: () => <p>Another page</p> });
  const router = createRouter({ routeTree: root.addChildren([shown, ...reached, elsewhere]), history: createMemoryHistory({ initialEntries: [`/o/org-a/e/production/${address}`] }) });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } });
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { address: () => router.state.location.href, go: (href) => act(() => router.navigate({ href })), client };
}

/** The person comes back to the page: what it shows is read again. */
export function seenAgain(): Promise<void> {
  return act(async () => {
    window.dispatchEvent(new Event("visibilitychange"));
  });
}
