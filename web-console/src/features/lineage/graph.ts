import type { Schemas } from "../../api/queries";
import { duration, shortFigure } from "../../lib/numbers";

export type Lineage = Schemas["Lineage"];
export type Edge = Schemas["LineageEdge"];
export type Place = Schemas["LineagePlace"];
export type State = Schemas["LineageState"];

export const NAMES: Record<Place, string> = {
  gateway: "Gateway",
  points_topic: "Points topic",
  rollup_job: "Rollup job",
  rollup_topics: "Rollup topics",
  druid: "Druid",
  lake_job: "Lake job",
  lake: "Lake",
  alert_job: "Alert job",
  transitions: "Transitions",
  usage_job: "Usage job",
  ledger: "Usage ledger",
};

export const KINDS: Record<Schemas["LineageKind"], string> = { service: "service", topic: "Kafka topic", job: "Flink job", store: "store" };

/** Columns and rows of the drawing: the way goes to the right, and parts behind the topics. */
const PLACES: Record<Place, readonly [column: number, row: number]> = {
  gateway: [0, 0],
  points_topic: [1, 0],
  rollup_job: [2, 0],
  rollup_topics: [3, 0],
  druid: [5, 0],
  lake_job: [4, 1],
  lake: [5, 1],
  alert_job: [4, 2],
  transitions: [5, 2],
  usage_job: [4, 3],
  ledger: [5, 3],
};

export const NODE = { width: 122, height: 44 };
const STEP = { x: 204, y: 88 };
const MARGIN = 4;
/** Beside the middle of a node's left side, so that two ways into one node stay apart. */
const APART = 9;

export const SIZE = { width: 5 * STEP.x + NODE.width + 2 * MARGIN, height: 3 * STEP.y + NODE.height + 2 * MARGIN };

export function cornerOf(place: Place): { x: number; y: number } {
  const [column, row] = PLACES[place];
  return { x: MARGIN + column * STEP.x, y: MARGIN + row * STEP.y };
}

/** The line of an edge, and where its text begins. Ways to another row leave below and turn right. */
export function lineOf(edge: { from: Place; to: Place }): { path: string; x: number; y: number; isTurned: boolean } {
  const from = cornerOf(edge.from);
  const to = cornerOf(edge.to);
  const middle = to.y + NODE.height / 2;
  if (from.y === to.y) {
    const start = from.x + NODE.width;
    return { path: `M ${start} ${middle} H ${to.x}`, x: to.x - STEP.x + NODE.width + 6, y: middle, isTurned: false };
  }
  const isPoints = edge.from === "points_topic";
  const trunk = from.x + NODE.width / 2;
  const end = middle + (isPoints ? APART : -APART);
  return { path: `M ${trunk} ${from.y + NODE.height} V ${end - 8} Q ${trunk} ${end} ${trunk + 8} ${end} H ${to.x}`, x: trunk + 12, y: end, isTurned: true };
}

/** What came over an edge in a minute, or in the mean of the complete ones. */
export function rateOf(edge: Edge, minute: string | undefined): { value: number; isOpen: boolean } | undefined {
  if (minute === undefined) {
    return edge.per_minute === undefined ? undefined : { value: edge.per_minute, isOpen: false };
  }
  const found = edge.minutes.find((each) => Date.parse(each.start) === Date.parse(minute));
  return found && { value: found.count, isOpen: !found.is_complete };
}

/** Whether a minute went over an edge for good; undefined while that is not known. */
export function passed(edge: Edge, minute: string): boolean | undefined {
  return edge.watermark === undefined ? undefined : Date.parse(minute) + 60_000 <= Date.parse(edge.watermark);
}

export function rateText(edge: Edge, minute: string | undefined): string {
  const rate = rateOf(edge, minute);
  if (rate === undefined) return "unknown";
  return `${shortFigure(rate.value)}${minute === undefined ? "/min" : ""}${rate.isOpen ? ", open" : ""}`;
}

export function lagText(edge: Edge): string {
  return edge.lag_seconds === undefined ? "unknown" : duration(edge.lag_seconds);
}

/** The two lines beside an edge: short, because there is little room. */
export function marksOf(edge: Edge, minute: string | undefined): [string, string] {
  const rate = rateOf(edge, minute);
  const first = rate === undefined ? "rate ?" : `${shortFigure(rate.value, "", 1000)}${minute === undefined ? "/min" : ""}${rate.isOpen ? " open" : ""}`;
  if (edge.lag_seconds === undefined) return [first, edge.state === "idle" ? "idle" : "lag ?"];
  return [first, `${edge.state === "late" ? "late " : "lag "}${duration(edge.lag_seconds)}`];
}

/** An edge in one sentence, for who does not see the drawing. */
export function sentenceOf(edge: Edge, minute: string | undefined): string {
  return `${NAMES[edge.from]} to ${NAMES[edge.to]}: ${edge.state}, ${edge.unit} ${rateText(edge, minute)}, lag ${lagText(edge)}`;
}

/** What the page says first: the worst there is, and where. */
export function summaryOf(lineage: Lineage): { tone: "danger" | "warn" | undefined; text: string } | undefined {
  const of = (state: State) => [...new Set(lineage.edges.filter((edge) => edge.state === state).map((edge) => NAMES[edge.to]))];
  const late = of("late");
  if (late.length > 0) return { tone: "danger", text: `Late: ${late.join(", ")}. What was sent is in Kafka and comes when the part in front goes on; nothing is lost.` };
  const gateway = lineage.edges.find((edge) => edge.from === "gateway");
  if (gateway?.state === "idle") return { tone: undefined, text: "Nothing was sent to this environment in these ten minutes. Lags are those of the organisation." };
  return undefined;
}

/** The minutes of the window, the oldest first. */
export function minutesOf(lineage: Lineage): string[] {
  const minutes: string[] = [];
  for (let at = Date.parse(lineage.window_from); at < Date.parse(lineage.window_to); at += 60_000) minutes.push(new Date(at).toISOString());
  return minutes;
}

export function keyOf(edge: { from: Place; to: Place }): string {
  return `${edge.from}-${edge.to}`;
}
