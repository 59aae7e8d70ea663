import { expect, test } from "vitest";
import { nextAnswer } from "./last-answer";

const none = { data: undefined, readAt: 0, fault: undefined, question: "a" };
const good = { data: "rows", error: null, isPlaceholderData: false, dataUpdatedAt: 60 };
const failed = { data: undefined, error: "cut off", isPlaceholderData: false, dataUpdatedAt: 0 };

test("data that were read stay when the next minute cannot be read, until it can", () => {
  const read = nextAnswer(none, "a", good);
  const waiting = nextAnswer(read, "a", { ...good, isPlaceholderData: true, dataUpdatedAt: 0 });
  expect(waiting).toEqual(read);
  const fault = nextAnswer(waiting, "a", failed);
  expect(fault).toEqual({ data: "rows", readAt: 60, fault: "cut off", question: "a" });
  const again = nextAnswer(fault, "a", { ...failed, error: null });
  expect(again.fault, "no flicker while it is tried again").toBe("cut off");
  expect(nextAnswer(again, "a", { ...good, data: "newer", dataUpdatedAt: 120 })).toEqual({ data: "newer", readAt: 120, fault: undefined, question: "a" });
});

test("a refresh of the same minute that fails keeps the time of the reading", () => {
  expect(nextAnswer(nextAnswer(none, "a", good), "a", { ...good, error: "busy" })).toEqual({ data: "rows", readAt: 60, fault: "busy", question: "a" });
});

test("another question shows nothing of the one before once it failed", () => {
  const read = nextAnswer(none, "a", good);
  const waiting = nextAnswer(read, "b", { ...good, isPlaceholderData: true, dataUpdatedAt: 0 });
  expect(waiting.data).toBe("rows");
  expect(nextAnswer(waiting, "b", failed)).toEqual({ data: undefined, readAt: 0, fault: "cut off", question: "b" });
});
