import { QueryClient } from "@tanstack/react-query";
import { isPassing } from "../api/client";
import { Problem } from "../api/problem";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, fault) => failures < 2 && isPassing(fault),
      // Not before the server wants to be asked again.
      retryDelay: (failures, fault) => Math.max(1000 * 2 ** failures, fault instanceof Problem ? Math.min(fault.retryAfterSeconds ?? 0, 60) * 1000 : 0),
      // A refresh pauses while nobody sees the page, and happens once when somebody does again.
      refetchIntervalInBackground: false,
      refetchOnWindowFocus: true,
    },
  },
});
