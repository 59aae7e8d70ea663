import { QueryClient } from "@tanstack/react-query";
import { isPassing } from "../api/client";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, fault) => failures < 2 && isPassing(fault),
      // A refresh pauses while nobody sees the page, and happens once when somebody does again.
      refetchIntervalInBackground: false,
      refetchOnWindowFocus: true,
    },
  },
});
