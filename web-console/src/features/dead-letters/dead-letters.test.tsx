import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage } from "../../testing/page";
import { answer, problem, signedIn } from "../../testing/server";
import { DeadLettersPage } from "./dead-letters-page";

const LETTERS = "/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letters";
const LETTER = "/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letters/{dead_letter_id}";
const letter = { id: "0-7", batch_id: "ab".repeat(32), reason: "TOO_LATE", points: 0, received_at: "2026-11-01T00:00:00Z" };

const REPLAYS = "/api/v1/organizations/{organization_id}/environments/{environment_id}/dead-letter-replays";
const REPLAY = `${REPLAYS}/{dead_letter_replay_id}` as const;
const EXECUTE = `${REPLAY}/execute` as const;
const replay = { id: "dlr-1", state: "counting" as const, reasons: ["TOO_LATE"], received_from: "2026-11-01T00:00:00Z", received_to: "2026-11-02T00:00:00Z", created_at: "2026-11-02T00:00:00Z", records_read: 0, records_to_read: 0, counts: [] };
const toReplay = { reason: "TOO_LATE", outcome: "to_replay" as const, letters: 3, points: 40 };

test("a replay is counted, asked about, carried out and told of", async () => {
  signedIn(["catalog:read", "metrics:write"]);
  answer("get", LETTERS, { data: [], meta: {} });
  answer("get", REPLAYS, { data: [], meta: {} });
  const asked: unknown[] = [];
  let executed = 0;
  answer("post", REPLAYS, ({ body, headers }) => {
    asked.push(body);
    expect(headers.get("Idempotency-Key")).toBeTruthy();
    return replay;
  });
  answer("get", REPLAY, () =>
    executed > 0
      ? { ...replay, state: "completed" as const, executed_at: "2026-11-02T00:00:01Z", counts: [{ ...toReplay, outcome: "replayed" as const }] }
      : { ...replay, state: "counted" as const, counts: [toReplay, { reason: "TOO_LATE", outcome: "not_replayable" as const, detail: "the original was \u202ecut", letters: 1, points: 0 }] },
  );
  answer("post", EXECUTE, () => {
    executed++;
    return { ...replay, state: "replaying" as const, records_read: 5, records_to_read: 10 };
  });
  const page = openPage(DeadLettersPage, "dead-letters", "dead-letters?reason=TOO_LATE");
  await userEvent.click(await screen.findByRole("button", { name: "Replay" }));
  await userEvent.click(await screen.findByRole("button", { name: "Count them" }));
  await screen.findByText("(the original was \\u202ecut)");
  expect(asked).toEqual([{ reasons: ["TOO_LATE"], received_from: expect.stringMatching(/Z$/) }]);
  expect(page.address()).toContain("replay=dlr-1");
  expect(executed).toBe(0);
  await userEvent.click(screen.getByRole("button", { name: "Replay 3 letters (40 points)" }));
  await screen.findByText(/3 letters went back into the pipeline/, {}, { timeout: 5000 });
  expect(executed).toBe(1);
});

test("a refused count says why, and the form stays", async () => {
  signedIn(["catalog:read", "metrics:write"]);
  answer("get", LETTERS, { data: [], meta: {} });
  answer("get", REPLAYS, { data: [], meta: {} });
  answer("post", REPLAYS, () => problem(409, { code: "conflict", detail: "Another replay is being counted." }));
  openPage(DeadLettersPage, "dead-letters", "dead-letters?replay=new");
  await userEvent.click(await screen.findByRole("button", { name: "Count them" }));
  await screen.findByText("Another replay is being counted.");
  expect(screen.getByRole("button", { name: "Count them" })).toBeTruthy();
});

test("a viewer sees what a replay came to and cannot replay", async () => {
  signedIn(["catalog:read"]);
  const failed = { ...replay, state: "failed" as const, failure: "More than 10000 letters fit." };
  answer("get", LETTERS, { data: [], meta: {} });
  answer("get", REPLAYS, { data: [failed], meta: {} });
  answer("get", REPLAY, failed);
  openPage(DeadLettersPage, "dead-letters");
  await userEvent.click(await screen.findByRole("button", { name: "Open replay dlr-1" }));
  await screen.findByText("More than 10000 letters fit.");
  expect(screen.queryByRole("button", { name: "Replay" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Count again" })).toBeNull();
});

test("letters are filtered by reason, and one shows what was found, harmlessly", async () => {
  signedIn(["catalog:read", "metrics:read"]);
  answer("get", REPLAYS, { data: [], meta: {} });
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
  answer("get", REPLAYS, { data: [], meta: {} });
  answer("get", LETTERS, { data: [letter], meta: {} });
  openPage(DeadLettersPage, "dead-letters");
  await screen.findByText("TOO_LATE");
  await waitFor(() => expect(screen.queryByRole("button", { name: /Show letter/ })).toBeNull());
});
