import { dashboardOf, MAX_BYTES, type Reading } from "./dashboard";
import { isGrafana, translated, type KnownMetric } from "./grafana";

/** Dashboards of Grafana say much more than what is taken of them. */
export const MAX_IMPORT_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 64;

/** How deep brackets are nested, without reading the text as JSON. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return deepest;
}

const refused = (fault: string): Reading & { left: string[] } => ({ faults: [fault], ignored: [], left: [] });

export function tooLarge(bytes: number): string {
  return `The file has ${(bytes / 1e6).toFixed(1)} MB; a dashboard has at most ${(MAX_IMPORT_BYTES / 1e6).toFixed(1)} MB.`;
}

/** Reads a file that people chose: a dashboard that was exported here, or one of Grafana. */
export function importOf(text: string, known: readonly KnownMetric[]): Reading & { left: string[] } {
  if (text.length > MAX_IMPORT_BYTES) return refused(tooLarge(text.length));
  if (depthOf(text) > MAX_DEPTH) return refused("The file is nested too deeply to be a dashboard.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    return refused(`The file is not JSON: ${fault instanceof Error ? fault.message.slice(0, 200) : "it cannot be read"}.`);
  }
  if (isGrafana(value)) return translated(value, known);
  if (text.length > MAX_BYTES) return refused(`A dashboard has at most ${MAX_BYTES} bytes; this file has ${text.length} characters.`);
  return { ...dashboardOf(value), left: [] };
}
