import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage, seenAgain } from "../../testing/page";
import { answer, signedIn, versioned } from "../../testing/server";
import { RetentionPage } from "./retention-page";

const RETENTION = "/api/v1/organizations/{organization_id}/environments/{environment_id}/retention";

test("typed days stay when somebody else changes the retention, and are saved for the version that they began from", async () => {
  signedIn(["retention:read", "retention:write"]);
  let stored = { raw_days: 30, version: 1 };
  answer("get", RETENTION, () => versioned({ policy: { raw_days: stored.raw_days } } as never, stored.version));
  answer("post", `${RETENTION}/preview`, { levels: [] } as never);
  const tags: (string | null)[] = [];
  let sent: unknown;
  answer("put", RETENTION, ({ body, headers }) => {
    tags.push(headers.get("If-Match"));
    sent = body;
    stored = { raw_days: 7, version: stored.version + 1 };
    return versioned({ policy: { raw_days: 7 } } as never, stored.version);
  });
  openPage(RetentionPage, "settings/retention");
  const days = (await screen.findByRole("textbox", { name: "Points as sent" })) as HTMLInputElement;
  await userEvent.clear(days);
  await userEvent.type(days, "7");
  stored = { raw_days: 90, version: 2 };
  await seenAgain();
  await screen.findByText(/Somebody changed this meanwhile/);
  expect(days.value).toBe("7 days");
  await userEvent.click(screen.getByRole("button", { name: /Read the newest version/ }));
  expect(days.value).toBe("90 days");

  await userEvent.clear(days);
  await userEvent.type(days, "7");
  await userEvent.click(screen.getByRole("button", { name: "See what this removes" }));
  await userEvent.click(await screen.findByRole("button", { name: "Change the retention" }));
  await screen.findByText(/The retention was changed/);
  await waitFor(() => expect(sent).toEqual({ raw_days: 7 }));
  expect(tags).toEqual(['"2"']);
});
