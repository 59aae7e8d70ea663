import type { MetricsSchemas } from "../api/queries";
import { formatClock, formatTime, type Zone } from "../lib/time-range";

/** How complete an answer is, in one line. */
export function Completeness({ completeness, zone }: { completeness: MetricsSchemas["Completeness"] | undefined; zone: Zone }) {
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
    </span>
  );
}
