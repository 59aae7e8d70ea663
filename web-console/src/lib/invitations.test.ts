import { expect, test } from "vitest";
import { invitationTokenOf } from "./invitations";

test("a token is found in the link, and alone", () => {
  expect(invitationTokenOf("https://tidemark.example/join?token=tdi_abc%2Bd")).toBe("tdi_abc+d");
  expect(invitationTokenOf(" tdi_abc ")).toBe("tdi_abc");
  expect(invitationTokenOf("https://tidemark.example/join")).toBeUndefined();
  expect(invitationTokenOf("two words")).toBeUndefined();
  expect(invitationTokenOf("https://x/join?token=%E0%A4%A")).toBeUndefined();
});
