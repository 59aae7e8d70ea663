import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { formatTime, setOwnZone, zoneName } from "../../lib/time-range";
import { openPage } from "../../testing/page";
import { answer, problem, signedIn } from "../../testing/server";
import { ProfilePage } from "./profile-page";

afterEach(() => setOwnZone(undefined));

function profile() {
  signedIn([]);
  answer("get", "/api/v1/organizations", { data: [], meta: {} });
  answer("get", "/api/v1/session", { person: { id: "per-1", display_name: "Ada <i>", mail: "ada@example.org", mail_verified: true }, csrf_token: "t", idle_seconds: 60, ends_at: "2026-11-01T00:00:00Z" });
}

test("the zone that a person chooses is stored, and times follow it", async () => {
  profile();
  let sent: unknown;
  answer("put", "/api/v1/profile", ({ body }) => {
    sent = body;
    return { id: "per-1", display_name: "Ada <i>", mail_verified: true, time_zone: "Asia/Tokyo" };
  });
  openPage(ProfilePage, "settings/profile");
  const zones = await screen.findByLabelText(/Times are shown in/, { selector: "input" });
  await userEvent.click(zones);
  await userEvent.clear(zones);
  await userEvent.type(zones, "Asia/Tokyo");
  await userEvent.click((await screen.findAllByRole("option"))[0] as HTMLElement);
  await userEvent.click(screen.getByRole("button", { name: "Save time zone" }));
  await waitFor(() => expect(zoneName("local")).toBe("Asia/Tokyo"));
  expect(sent).toEqual({ time_zone: "Asia/Tokyo" });
  expect(formatTime("2026-03-01T00:00:00Z", "local", "minute")).toBe("01 Mar 2026, 09:00");
  expect(formatTime("2026-03-01T00:00:00Z", "utc", "minute")).toBe("01 Mar 2026, 00:00 UTC");
});

test("a zone that this browser does not have leaves the browser's", () => {
  setOwnZone("Mars/Olympus");
  expect(zoneName("local")).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test("an invitation is accepted by its link, and what is wrong with it is told", async () => {
  profile();
  let sent: unknown;
  answer("post", "/api/v1/invitations/accept", ({ body }) => {
    sent = body;
    return problem(403, { code: "forbidden", title: "Not for you", detail: "The invitation is for another mail address." });
  });
  openPage(ProfilePage, "settings/profile");
  const link = await screen.findByRole("textbox", { name: "Link of the invitation" });
  await userEvent.type(link, "no link at all");
  await userEvent.click(screen.getByRole("button", { name: "Join" }));
  expect(screen.getByText(/Paste the whole link/)).toBeTruthy();
  await userEvent.clear(link);
  await userEvent.type(link, "https://tidemark.example/join?token=tdi_1");
  await userEvent.click(screen.getByRole("button", { name: "Join" }));
  await screen.findByText("The invitation is for another mail address.");
  expect(sent).toEqual({ token: "tdi_1" });
  expect((link as HTMLInputElement).value).toContain("tdi_1");
});
