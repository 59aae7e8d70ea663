import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { openPage } from "../../testing/page";
import { answer, signedIn } from "../../testing/server";
import { PlatformPage, Tenants } from "./platform-page";

const BILLS = "/api/v1/organizations/{organization_id}/tenant-bills";

test("a tenant shows what it costs beside what it pays, and opens to meters and plans", async () => {
  signedIn(["billing:write"]);
  answer("get", BILLS, {
    data: [
      {
        organization_id: "org-b",
        plan: "standard",
        currency: "EUR",
        points: "9000000000000000001",
        previous_points: "6000000000000000000",
        charged: "80.00",
        cost: "90.5",
        margin: "-10.5",
        costs: [
          { meter: "points", quantity: "9000000000000000001", cost: "90" },
          { meter: "druid_storage", quantity: "5", cost: "0.5" },
        ],
        by_plan: [
          { plan: "standard", currency: "EUR", charged: "80.00" },
          { plan: "committed", currency: "EUR", charged: "599.00" },
        ],
      },
      { organization_id: "org-c", plan: "standard", currency: "EUR", points: "5", previous_points: "0", charged: "0.00", by_plan: [] },
    ],
    meta: {},
  });
  openPage(Tenants, "platform");
  const tenant = await screen.findByRole("button", { name: "org-b" });
  expect(screen.getByText("+50 %")).toBeTruthy();
  expect(screen.getByText("new")).toBeTruthy();
  expect(screen.getByText("−10.50 EUR")).toBeTruthy();
  expect(screen.queryByText("599.00 EUR")).toBeNull();
  await userEvent.click(tenant);
  const bill = screen.getByRole("region", { name: "Bill of org-b" });
  expect(within(bill).getByText("599.00 EUR")).toBeTruthy();
  expect(within(bill).getByText(/standard.*its own/)).toBeTruthy();
  expect(within(bill).getByText("druid storage, 5")).toBeTruthy();
});

test("who does not run the installation sees nothing of other tenants", async () => {
  signedIn(["billing:write", "metrics:read"]);
  openPage(PlatformPage, "platform");
  await screen.findByText("There is nothing here");
});
