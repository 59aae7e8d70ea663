import { FUNCTIONS, type Function } from "./question";

/** One picture of a dashboard. */
export interface Panel {
  title: string;
  type: "time_series" | "stat";
  metric: string;
  agg: Function;
  by: string[];
  /** Columns of two. */
  width: 1 | 2;
}

/** What people export and import, and what comes along for known types of resources. */
export interface Dashboard {
  version: 1;
  title: string;
  description: string;
  /** Of which type of resource it is; absent for one of the whole environment. */
  resource_type?: string;
  panels: Panel[];
}

const MOST_PANELS = 60;

/** Reads a dashboard that came from outside, and says all that is wrong with it. */
export function dashboardOf(value: unknown): { dashboard?: Dashboard; faults: string[] } {
  const faults: string[] = [];
  if (typeof value !== "object" || value === null) return { faults: ["A dashboard is a JSON object."] };
  const fields = value as Record<string, unknown>;
  const title = textOf(fields["title"], 100);
  if (fields["version"] !== 1) faults.push("version must be 1.");
  if (title === undefined || title.trim() === "") faults.push("title must have 1 to 100 characters.");
  if (!Array.isArray(fields["panels"])) faults.push("panels must be a list.");
  const listed = Array.isArray(fields["panels"]) ? fields["panels"] : [];
  if (listed.length > MOST_PANELS) faults.push(`At most ${MOST_PANELS} panels; there are ${listed.length}.`);
  const panels: Panel[] = [];
  listed.slice(0, MOST_PANELS).forEach((each: unknown, index) => {
    const panel = (typeof each === "object" && each !== null ? each : {}) as Record<string, unknown>;
    const agg = FUNCTIONS.find((known) => known === panel["agg"]);
    const metric = textOf(panel["metric"], 255);
    const type = panel["type"] === "stat" || panel["type"] === "time_series" ? panel["type"] : undefined;
    if (type === undefined) faults.push(`Panel ${index + 1}: type must be time_series or stat.`);
    if (!metric) faults.push(`Panel ${index + 1}: metric must have 1 to 255 characters.`);
    if (agg === undefined) faults.push(`Panel ${index + 1}: agg must be one of ${FUNCTIONS.join(", ")}.`);
    if (type && metric && agg) {
      panels.push({
        title: textOf(panel["title"], 100) ?? metric,
        type,
        metric,
        agg,
        by: Array.isArray(panel["by"]) ? panel["by"].filter((label): label is string => typeof label === "string").slice(0, 20) : [],
        width: panel["width"] === 2 ? 2 : 1,
      });
    }
  });
  if (faults.length > 0) return { faults };
  const type = textOf(fields["resource_type"], 255);
  return { dashboard: { version: 1, title: title ?? "", description: textOf(fields["description"], 1000) ?? "", ...(type ? { resource_type: type } : {}), panels }, faults };
}

function textOf(value: unknown, most: number): string | undefined {
  return typeof value === "string" && value.length <= most ? value : undefined;
}
