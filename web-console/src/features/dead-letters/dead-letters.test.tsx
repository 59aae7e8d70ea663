import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage } from "../../testing/page";
import { answer, signedIn } from "../../testing/server";
import { DeadLettersPage } from "./dead-letters-page";

const LETTERS = "/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letters";
const LETTER = "/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letters/{dead_letter_id}";
const letter = { id: "0-7", batch_id: "ab".repeat(32), reason: "TOO_LATE", points: 0, received_at: "2026-11-01T00:00:00Z" };

test("letters are filtered by reason, and one shows what was found, harmlessly", async () => {
  signedIn(["catalog:read", "metrics:read"]);
  const asked: (string | null)[] = [];
  answer("get", LETTERS, ({ address }) => {
    asked.push(address.searchParams.get("reason"));
    return { data: [letter], meta: {} };
  });
  answer("get", LETTER, { ...letter, stage: "roll-up", detail: "Older than the retention \u202e<img src=x>.", original_size: 120, sample_form: "otlp_json", sample: '{"name": "<b>"}', is_sample_cut: true });
  openPage(DeadLettersPage, "dead-letters", "dead-letters?reason=TOO_LATE");
  const row = (await screen.findAllByRole("row"))[1] as HTMLElement;
  expect(within(row).getByText("not known")).toBeTruthy();
  expect(asked).toEqual(["TOO_LATE"]);
  await userEvent.click(within(row).getByRole("button", { name: "Show letter 0-7" }));
  await screen.findByText("Older than the retention \\u202e<img src=x>.");
  expect(screen.getByText('{"name": "<b>"}')).toBeTruthy();
  expect(screen.getByText("The sample is cut: the letter has more.")).toBeTruthy();
});

test("who may not query metrics sees that there are letters and not what is in them", async () => {
  signedIn(["catalog:read"]);
  answer("get", LETTERS, { data: [letter], meta: {} });
  openPage(DeadLettersPage, "dead-letters");
  await screen.findByText("TOO_LATE");
  await waitFor(() => expect(screen.queryByRole("button", { name: /Show letter/ })).toBeNull());
});
