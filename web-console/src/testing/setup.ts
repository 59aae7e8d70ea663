import { cleanup } from "@testing-library/react";
import { afterAll, afterEach } from "vitest";
import { server } from "./server";

// Before a client is made, which keeps the fetch of that time.
server.listen({ onUnhandledRequest: "error" });
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

// jsdom lays nothing out and draws nothing; components ask these.
Object.defineProperty(window, "matchMedia", {
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  }),
});
class NoResizes {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.ResizeObserver = NoResizes as unknown as typeof ResizeObserver;
Element.prototype.scrollIntoView = () => {};
