/** A range of the URL: instants in RFC 3339, or "now" and "now-1h". */
export interface TimeRange {
  from: string;
  to: string;
}

export const DEFAULT_RANGE: TimeRange = { from: "now-1h", to: "now" };

const RELATIVE = /^now(?:-(\d{1,5})([mhd]))?$/;
const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of an end of a range at a given time; undefined for a text that is none. */
export function instantOf(text: string, now: number): number | undefined {
  const relative = RELATIVE.exec(text);
  if (relative) {
    return relative[1] === undefined ? now : now - Number(relative[1]) * (UNIT_MS[relative[2] ?? "m"] ?? 0);
  }
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The ends of a range; the usual one when the URL holds none that makes sense. */
export function boundsOf(range: TimeRange, now: number): { from: number; to: number } {
  const from = instantOf(range.from, now);
  const to = instantOf(range.to, now);
  if (from === undefined || to === undefined || from >= to) {
    return { from: now - 3_600_000, to: now };
  }
  return { from, to };
}

/** Whether the range moves with the clock. */
export function isLive(range: TimeRange): boolean {
  return range.to === "now";
}

export type Granularity = "PT1M" | "PT5M" | "PT15M" | "PT30M" | "PT1H" | "PT4H" | "PT6H" | "PT12H" | "P1D";

export const GRANULARITIES: readonly { id: Granularity; minutes: number; label: string; most: number }[] = [
  { id: "PT1M", minutes: 1, label: "1 minute", most: 6 * 60 },
  { id: "PT5M", minutes: 5, label: "5 minutes", most: 24 * 60 },
  { id: "PT15M", minutes: 15, label: "15 minutes", most: 4 * 24 * 60 },
  { id: "PT30M", minutes: 30, label: "30 minutes", most: 7 * 24 * 60 },
  { id: "PT1H", minutes: 60, label: "1 hour", most: Infinity },
  { id: "PT4H", minutes: 240, label: "4 hours", most: Infinity },
  { id: "PT6H", minutes: 360, label: "6 hours", most: Infinity },
  { id: "PT12H", minutes: 720, label: "12 hours", most: Infinity },
  { id: "P1D", minutes: 1440, label: "1 day", most: Infinity },
];

/** The finest bucket that the API answers for this length and that still gives a chart some hundred points. */
export function granularityFor(lengthMs: number): Granularity {
  const minutes = lengthMs / 60_000;
  const fit = GRANULARITIES.find((each) => minutes <= each.most && minutes / each.minutes <= 400);
  return fit?.id ?? "P1D";
}

export function bucketMs(granularity: Granularity): number {
  return (GRANULARITIES.find((each) => each.id === granularity)?.minutes ?? 1) * 60_000;
}

/** Whether the API answers buckets of this width for a range of this length. */
export function fits(granularity: Granularity, lengthMs: number): boolean {
  const found = GRANULARITIES.find((each) => each.id === granularity);
  return found !== undefined && lengthMs / 60_000 <= found.most;
}

/** The interval of a request: whole buckets that cover the range. */
export function intervalOf(bounds: { from: number; to: number }, granularity: Granularity): string {
  const width = bucketMs(granularity);
  const from = Math.floor(bounds.from / width) * width;
  const to = Math.ceil(bounds.to / width) * width;
  return `${instantText(from)}/${instantText(to)}`;
}

export function instantText(time: number): string {
  return new Date(time).toISOString().replace(".000Z", "Z");
}

export const PRESETS: readonly { label: string; range: TimeRange }[] = [
  { label: "Last 15 minutes", range: { from: "now-15m", to: "now" } },
  { label: "Last hour", range: { from: "now-1h", to: "now" } },
  { label: "Last 3 hours", range: { from: "now-3h", to: "now" } },
  { label: "Last 6 hours", range: { from: "now-6h", to: "now" } },
  { label: "Last 24 hours", range: { from: "now-24h", to: "now" } },
  { label: "Last 7 days", range: { from: "now-7d", to: "now" } },
  { label: "Last 30 days", range: { from: "now-30d", to: "now" } },
];

export function rangeLabel(range: TimeRange, zone: Zone): string {
  const preset = PRESETS.find((each) => each.range.from === range.from && each.range.to === range.to);
  if (preset) return preset.label;
  const end = (text: string) => {
    const time = instantOf(text, Date.now());
    return time === undefined || text.startsWith("now") ? text : formatTime(time, zone, "minute");
  };
  return `${end(range.from)} to ${end(range.to)}`;
}

/** Where times are shown: in the person's own zone or in UTC. */
export type Zone = "local" | "utc";

const FORMATS = new Map<string, Intl.DateTimeFormat>();

let ownZone: string | undefined;

/** Takes the zone that the person chose; the browser's while there is none, or none that this browser has. */
export function setOwnZone(name: string | undefined): void {
  ownZone = undefined;
  try {
    if (name !== undefined) ownZone = new Intl.DateTimeFormat("en-GB", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // A newer database of zones than this browser's.
  }
  FORMATS.clear();
}

/** Whether times are shown in the zone of the browser, which needs no conversion. */
export function isBrowserZone(zone: Zone): boolean {
  return zone === "local" && ownZone === undefined;
}

/** The IANA name of the zone that times are shown in. */
export function zoneName(zone: Zone): string {
  return zone === "utc" ? "UTC" : (ownZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

function format(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options);
  let found = FORMATS.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat("en-GB", { ...options, hourCycle: "h23", ...(zone === "utc" ? { timeZone: "UTC" } : ownZone ? { timeZone: ownZone } : {}) });
    FORMATS.set(key, found);
  }
  return found;
}

/** A time in the chosen zone, as exact as asked. */
export function formatTime(time: number | string, zone: Zone, detail: "second" | "minute" | "day" = "second"): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return "unknown";
  const day: Intl.DateTimeFormatOptions = { year: "numeric", month: "short", day: "2-digit" };
  if (detail === "day") return format(zone, day).format(at);
  const clock: Intl.DateTimeFormatOptions = { ...day, hour: "2-digit", minute: "2-digit", ...(detail === "second" ? { second: "2-digit" } : {}) };
  return format(zone, clock).format(at) + (zone === "utc" ? " UTC" : "");
}

export function formatClock(time: number | string, zone: Zone, seconds = false): string {
  return format(zone, { hour: "2-digit", minute: "2-digit", ...(seconds ? { second: "2-digit" } : {}) }).format(new Date(time));
}

/** How long ago, in the largest unit that says enough. */
export function ago(time: number | string, now: number): string {
  const seconds = Math.round((now - new Date(time).getTime()) / 1000);
  if (Number.isNaN(seconds)) return "unknown";
  if (seconds < -5) return "in the future";
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} days ago`;
}
