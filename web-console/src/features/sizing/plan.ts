import type { Schemas } from "../../api/queries";
import { shortFigure } from "../../lib/numbers";

export type Plan = Schemas["Sizing"];
export type Part = Schemas["SizingPart"];
export type ResourceUse = Schemas["SizingResource"];

export const RESOURCES: Record<Schemas["SizingResourceName"], string> = {
  storage: "throughput of volumes",
  storage_network: "network to volumes",
  network: "network",
  disk: "space on volumes",
  cores: "cores",
  memory: "memory",
};

/** An amount with its unit, short. */
export function amountText(amount: number, unit: Schemas["SizingUnit"]): string {
  switch (unit) {
    case "megabytes_per_second":
      return shortFigure(amount * 1e6, "By/s");
    case "gigabytes":
      return shortFigure(amount * 1e9, "By");
    case "gibibytes":
      return `${shortFigure(amount)} GiB`;
    case "cores":
      return `${shortFigure(amount)} ${amount === 1 ? "core" : "cores"}`;
    case "percent":
      return `${shortFigure(amount)} %`;
  }
}

/** A share for people; what is used a little is not shown as nothing. */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 1) return "< 1 %";
  return `${Math.floor(percent + 1e-6)} %`;
}

/** What one more node buys, as in "32 % more points and 512 GB". */
export function gainText(part: Part): string {
  const gains = part.gains.map((gain) => `${amountText(gain.amount, gain.unit)}${gain.of ? ` more ${gain.of}` : ""}`);
  return gains.length === 0 ? "nothing" : gains.join(", ");
}

/** What decides about the number of nodes. */
export function bindsText(part: Part): string {
  const resource = part.binding ? RESOURCES[part.binding] : undefined;
  if (part.nodes > part.minimum_nodes) return resource ?? "";
  const least = part.minimum_nodes > 1 ? "copies" : "one node";
  return resource ? `${least}; then ${resource}` : least;
}

export function bindingOf(part: Part): ResourceUse | undefined {
  return part.resources.find((use) => use.resource === part.binding);
}

export interface Cost {
  name: string;
  cost: string;
  /** Of the total, 0 to 1. */
  share: number;
}

/** What the month is made of, the most first. */
export function costsOf(plan: Plan): Cost[] {
  const total = Number(plan.total_cost);
  return [
    ...plan.parts.map(({ name, cost }) => ({ name, cost })),
    { name: "Object storage", cost: plan.object_storage_cost },
    { name: "Traffic between zones", cost: plan.zone_traffic_cost },
  ]
    .map((each) => ({ ...each, share: total > 0 ? Number(each.cost) / total : 0 }))
    .sort((a, b) => b.share - a.share);
}

export function nodesOf(plan: Plan): number {
  return plan.parts.reduce((sum, part) => sum + part.nodes, 0);
}
