import type { Condition } from "./question";

/** A label that readers of a dashboard choose values of. */
export interface Variable {
  /** Conditions have it behind a dollar sign. */
  name: string;
  label: string;
  /** What is chosen at first; nothing for every value. */
  default: string[];
  multi: boolean;
}

export const MAX_VARIABLES = 10;
export const MAX_CHOSEN = 20;
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const REFERENCE = /^\$([A-Za-z_][A-Za-z0-9_]{0,63})$/;

/** The name of the variable that a value of a condition stands for. */
export function referenceOf(value: string): string | undefined {
  return REFERENCE.exec(value)?.[1];
}

/** Chosen values by name; none for every value. */
export type Selection = ReadonlyMap<string, readonly string[]>;

/** What an address says was chosen, and the default where it says nothing that makes sense. */
export function selectionOf(variables: readonly Variable[], search: unknown): Selection {
  const said = typeof search === "object" && search !== null && !Array.isArray(search) ? (search as Record<string, unknown>) : {};
  return new Map(
    variables.map((each): [string, readonly string[]] => {
      const values = Object.hasOwn(said, each.name) ? said[each.name] : undefined;
      if (!Array.isArray(values)) return [each.name, each.default];
      const texts = values.filter((value): value is string => typeof value === "string" && value !== "" && value.length <= 1024);
      return [each.name, [...new Set(texts)].slice(0, each.multi ? MAX_CHOSEN : 1)];
    }),
  );
}

/** The same as a member of an address; undefined while everything is as at first. */
export function searchOfSelection(variables: readonly Variable[], selection: Selection): Record<string, readonly string[]> | undefined {
  const changed = variables.flatMap((each): [string, readonly string[]][] => {
    const values = selection.get(each.name) ?? [];
    return JSON.stringify(values) === JSON.stringify(each.default) ? [] : [[each.name, values]];
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** Conditions with what is chosen in the place of names; one of a variable of which nothing is chosen does not count. */
export function substituted(where: readonly Condition[], selection: Selection): Condition[] {
  return where.flatMap((condition) => {
    const values = selection.get(referenceOf(condition.value) ?? "");
    return values === undefined ? [condition] : values.map((value) => ({ ...condition, value }));
  });
}
