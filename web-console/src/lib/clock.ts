import { useSyncExternalStore } from "react";
import { onServerTime } from "../api/client";

/** Answers carry whole seconds and take a while; less than this is no fault of a clock. */
const TOLERANCE_MS = 30_000;

let skew = 0;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** How far the clock of this browser is ahead of the server's, in milliseconds; 0 while it is right. */
export function skewOf(browserTime: number, serverTime: number): number {
  const difference = browserTime - serverTime;
  return Math.abs(difference) > TOLERANCE_MS ? difference : 0;
}

function tell(): void {
  listeners.forEach((each) => each());
}

onServerTime((serverTime) => {
  const found = skewOf(Date.now(), serverTime);
  // A second more or less is the answer's way.
  if (Math.abs(found - skew) < 5000) return;
  skew = found;
  now = Date.now() - skew;
  tell();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    if (document.hidden) return;
    now = Date.now() - skew;
    tell();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time by the server's clock, to the second, as long as the page is seen. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** How far the clock of this browser is ahead; negative when it is behind, 0 while it is right. */
export function useClockSkew(): number {
  return useSyncExternalStore(subscribe, () => skew);
}
