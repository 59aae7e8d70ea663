import type { MetricsSchemas } from "../api/queries";
import { formatClock, formatTime, type Zone } from "../lib/time-range";

type Stated = MetricsSchemas["Completeness"] | undefined;

/** Shown while points that were received may not be in an answer. */
export function Backlog({ completeness, zone }: { completeness: Stated; zone: Zone }) {
  if (!completeness?.is_behind) return null;
  const since = completeness.read_until;
  return (
    <span className="badge warn" title="The pipeline is reading a backlog, or does not run. More points may come to any bucket, also to final ones.">
      <span className="dot hollow" />
      {since ? `points received since ${formatClock(since, zone, true)} may be missing` : "received points may be missing"}
    </span>
  );
}

/** How complete an answer is, in one line. */
export function Completeness({ completeness, zone }: { completeness: Stated; zone: Zone }) {
  if (!completeness) return <span className="badge">completeness unknown</span>;
  const { state, complete_until: until, late_revisions: late, open_minutes: open } = completeness;
  return (
    <span className="row">
      {state === "final" && (
        <span className="badge ok">
          <span className="dot" /> final
        </span>
      )}
      {state === "revised" && (
        <span className="badge ok">
          <span className="dot" /> final, revised by late points
        </span>
      )}
      {state === "provisional" && (
        <span className="badge warn">
          <span className="dot hollow" /> provisional
        </span>
      )}
      <span className="quiet small" title={until ? formatTime(until, zone) : undefined}>
        {until ? `Complete until ${formatClock(until, zone, true)}${zone === "utc" ? " UTC" : ""}` : "How far it is complete is not known yet"}
        {late ? `, ${late} late ${late === 1 ? "row" : "rows"} since` : ""}
        {open === "partial" ? ", newest minutes only in part" : open === "absent" ? ", newest minutes without open points" : ""}
      </span>
      <Backlog completeness={completeness} zone={zone} />
    </span>
  );
}
