import { TZDate } from "@date-fns/tz";
import type { Schemas } from "../api/queries";

export type Matcher = Schemas["IncidentMatcher"];

export const MATCHES: Record<Schemas["LabelMatcherOperator"], string> = { eq: "is", ne: "is not", regex: "matches", not_regex: "does not match" };

/** Labels that every incident has. */
export const COMMON_LABELS = ["rule_name", "severity", "rule_id"] as const;

export function matcherText(matcher: Matcher): string {
  return `${matcher.label} ${MATCHES[matcher.operator]} ${matcher.value}`;
}

/** A silence as people fill it; times are of the clocks of a zone. */
export interface SilenceForm {
  comment: string;
  matchers: Matcher[];
  starts: string;
  ends: string;
  repeats: "" | Schemas["SilencePeriod"];
  timeZone: string;
  until: string;
}

export type SilenceFaults = Partial<Record<keyof SilenceForm, string>>;

const CLOCK = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/;

/** The instant at which clocks of a zone show this; undefined for a text of another form. */
export function instantAt(text: string, timeZone: string): Date | undefined {
  const found = CLOCK.exec(text.trim());
  if (!found) return undefined;
  const [year, month, day, hour, minute] = found.slice(1).map(Number) as [number, number, number, number, number];
  const date = new TZDate(year, month - 1, day, hour, minute, timeZone);
  return Number.isNaN(date.getTime()) || date.getDate() !== day ? undefined : new Date(date.getTime());
}

/** What clocks of a zone show at an instant, as a form takes it. */
export function clockAt(instant: string | number, timeZone: string): string {
  const date = new TZDate(new Date(instant).getTime(), timeZone);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

const DAY = 86_400_000;

/** What is sent, or what is wrong by field; all at once. */
export function silenceOf(form: SilenceForm): { draft?: Schemas["SilenceDraft"]; faults: SilenceFaults } {
  const faults: SilenceFaults = {};
  const comment = form.comment.trim();
  if (comment === "" || [...comment].length > 1000) faults.comment = "Say why, in 1 to 1000 characters.";
  if (form.matchers.length === 0) faults.matchers = "Choose at least one label: a silence of everything hides everything.";
  const starts = instantAt(form.starts, form.timeZone);
  const ends = instantAt(form.ends, form.timeZone);
  if (!starts) faults.starts = "Use the form 2026-01-31T12:00.";
  if (!ends) faults.ends = "Use the form 2026-01-31T12:00.";
  if (starts && ends) {
    const length = ends.getTime() - starts.getTime();
    if (length <= 0) faults.ends = "It must end after it starts.";
    else if (form.repeats === "day" && length > DAY) faults.ends = "Repeated every day, it lasts a day at most.";
    else if (form.repeats === "week" && length > 7 * DAY) faults.ends = "Repeated every week, it lasts a week at most.";
    else if (length > 366 * DAY) faults.ends = "It lasts 366 days at most.";
  }
  const until = form.repeats !== "" && form.until.trim() !== "" ? instantAt(form.until, form.timeZone) : undefined;
  if (form.repeats !== "" && form.until.trim() !== "" && !until) faults.until = "Use the form 2026-01-31T12:00, or leave it empty.";
  if (Object.keys(faults).length > 0 || !starts || !ends) return { faults };
  return {
    draft: {
      comment,
      matchers: form.matchers,
      starts_at: instantText(starts),
      ends_at: instantText(ends),
      ...(form.repeats !== "" ? { repeat: { every: form.repeats, time_zone: form.timeZone, ...(until ? { until: instantText(until) } : {}) } } : {}),
    },
    faults,
  };
}

function instantText(instant: Date): string {
  return instant.toISOString().replace(".000Z", "Z");
}

export function silenceFormOf(silence: Schemas["Silence"], timeZone: string): SilenceForm {
  const zone = silence.repeat?.time_zone ?? timeZone;
  return {
    comment: silence.comment,
    matchers: silence.matchers,
    starts: clockAt(silence.starts_at, zone),
    ends: clockAt(silence.ends_at, zone),
    repeats: silence.repeat?.every ?? "",
    timeZone: zone,
    until: silence.repeat?.until ? clockAt(silence.repeat.until, zone) : "",
  };
}

/** The next two hours, on the clocks of the zone. */
export function emptySilence(now: number, timeZone: string): SilenceForm {
  const start = Math.floor(now / 60_000) * 60_000;
  return { comment: "", matchers: [], starts: clockAt(start, timeZone), ends: clockAt(start + 2 * 3_600_000, timeZone), repeats: "", timeZone, until: "" };
}
