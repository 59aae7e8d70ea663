import type { Health } from "../lib/health";

const LOOK: Record<Health, { tone: string; text: string; dot: string }> = {
  sending: { tone: "ok", text: "sending", dot: "dot" },
  silent: { tone: "danger", text: "silent", dot: "dot hollow" },
  never: { tone: "", text: "never sent", dot: "dot hollow" },
};

export function HealthBadge({ health }: { health: Health }) {
  const look = LOOK[health];
  return (
    <span className={`badge ${look.tone}`}>
      <span className={look.dot} /> {look.text}
    </span>
  );
}
