import { expect, test } from "vitest";
import { worstFirst } from "./health";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const seen = (display_name: string, minutes: number | undefined) => ({ display_name, ...(minutes === undefined ? {} : { last_seen: new Date(NOW - minutes * 60_000).toISOString() }) });

test("what is silent longest comes first; ten minutes are the catalogue's own delay", () => {
  expect(worstFirst([seen("b", 1), seen("quiet", 20), seen("a", 10), seen("gone", 600), seen("planned", undefined)], NOW).map((each) => `${each.resource.display_name} ${each.health}`)).toEqual([
    "gone silent",
    "quiet silent",
    "planned never",
    "a sending",
    "b sending",
  ]);
});
