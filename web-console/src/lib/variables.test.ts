import { expect, test } from "vitest";
import { referenceOf, searchOfSelection, selectionOf, substituted, type Variable } from "./variables";

const variables: Variable[] = [
  { name: "topic", label: "metric.topic", default: ["orders"], multi: true },
  { name: "client", label: "metric.client", default: [], multi: false },
];

test("what the address says counts, else the default; what makes no sense is left out", () => {
  expect([...selectionOf(variables, undefined)]).toEqual([["topic", ["orders"]], ["client", []]]);
  expect([...selectionOf(variables, { topic: ["a", "a", 5, ""], client: ["x", "y"], other: ["z"] })]).toEqual([["topic", ["a"]], ["client", ["x"]]]);
  expect([...selectionOf(variables, { topic: [], client: "x" })]).toEqual([["topic", []], ["client", []]]);
  for (const bad of ["topic", [["topic"]], null, 7]) expect(selectionOf(variables, bad).get("topic")).toEqual(["orders"]);
});

test("only what differs from the default is in the address, and every value too", () => {
  expect(searchOfSelection(variables, selectionOf(variables, undefined))).toBeUndefined();
  expect(searchOfSelection(variables, new Map([["topic", []], ["client", ["x"]]]))).toEqual({ topic: [], client: ["x"] });
});

test("names stand for what is chosen, several values for alternatives, and nothing for no condition", () => {
  const where = [
    { label: "metric.topic", is: "=" as const, value: "$topic" },
    { label: "metric.client", is: "!=" as const, value: "$client" },
    { label: "metric.cost", is: "=" as const, value: "$5" },
    { label: "metric.x", is: "=" as const, value: "$unheard" },
  ];
  expect(substituted(where, selectionOf(variables, { topic: ["a", "b"] }))).toEqual([
    { label: "metric.topic", is: "=", value: "a" },
    { label: "metric.topic", is: "=", value: "b" },
    { label: "metric.cost", is: "=", value: "$5" },
    { label: "metric.x", is: "=", value: "$unheard" },
  ]);
  expect(substituted(where, new Map())).toEqual(where);
  expect(referenceOf("$a b")).toBeUndefined();
});
