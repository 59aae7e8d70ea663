import type { Schemas } from "../../api/queries";
import { STATE_MEANINGS, STATE_NAMES, STATE_TONES } from "../../lib/alert";

export function StateBadge({ state }: { state: Schemas["AlertState"] }) {
  return (
    <span className={`badge ${STATE_TONES[state]}`} title={STATE_MEANINGS[state]}>
      <span className={state === "firing" ? "dot" : "dot hollow"} aria-hidden /> {STATE_NAMES[state]}
    </span>
  );
}

const SEVERITY: Record<Schemas["AlertSeverity"], string> = { critical: "danger", warning: "warn", info: "" };

export function SeverityBadge({ severity }: { severity: Schemas["AlertSeverity"] }) {
  return <span className={`badge ${SEVERITY[severity]}`}>{severity}</span>;
}

/** Of an incident that an open minute raised; nothing once a complete minute confirmed it. */
export function EarlyBadge({ incident }: { incident: Pick<Schemas["Incident"], "early" | "state"> }) {
  if (!incident.early) return null;
  const meaning = incident.state === "open" ? "Raised from a minute that is not complete yet. The complete minute confirms or retracts it." : "It was raised from a minute that was not complete.";
  return (
    <span className="badge warn" title={meaning}>
      early
    </span>
  );
}

const INCIDENT: Record<Schemas["IncidentState"], string> = { open: "danger", resolved: "ok", retracted: "" };

export function IncidentBadge({ state }: { state: Schemas["IncidentState"] }) {
  return (
    <span className={`badge ${INCIDENT[state]}`} title={state === "retracted" ? "It would not have been, had all data come in time." : undefined}>
      <span className={state === "open" ? "dot" : "dot hollow"} aria-hidden /> {state}
    </span>
  );
}
