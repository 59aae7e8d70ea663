import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach } from "vitest";
import { server } from "./server";

// Tests wait for what appears, on a machine that does other things too.
configure({ asyncUtilTimeout: 15_000 });
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
// Charts draw on a context that takes every call and measures every text as nothing.
const context = new Proxy({}, { get: () => () => ({ width: 0 }), set: () => true });
HTMLCanvasElement.prototype.getContext = (() => context) as unknown as typeof HTMLCanvasElement.prototype.getContext;
window.Path2D = class {
  moveTo() {}
  lineTo() {}
  arc() {}
  rect() {}
  closePath() {}
  addPath() {}
  bezierCurveTo() {}
} as unknown as typeof Path2D;
window.ResizeObserver = NoResizes as unknown as typeof ResizeObserver;
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
