import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { components } from "./control-api.gen";
import { allows, isPermission, isRole, rolesWith } from "./permissions";
import { permissions, roles, type Permission, type Role } from "./vocabulary.gen";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

// The compiler is the test: a role of one contract that the other has not is an error here.
const rolesOfBothContractsAreTheSame: Same<Role, components["schemas"]["Role"]> = true;

interface Entry {
  name: string;
  meaning: string;
}

const contract = parse(
  readFileSync(join(process.cwd(), "../platform-api/contracts/vocabulary/permissions.yaml"), "utf8"),
) as { permissions: Entry[]; roles: (Entry & { permissions: string[] })[] };

test("permissions and their meanings are those of the contract", () => {
  expect(Object.entries(permissions)).toEqual(contract.permissions.map(({ name, meaning }) => [name, meaning]));
});

test("roles and what they allow are those of the contract", () => {
  expect(rolesOfBothContractsAreTheSame).toBe(true);
  expect(Object.entries(roles).map(([name, role]) => ({ name, ...role }))).toEqual(contract.roles);
});

test("a role allows what it lists and nothing else", () => {
  expect(allows("developer", "metrics:write")).toBe(true);
  expect(allows("metrics_viewer", "metrics:write")).toBe(false);
  expect(allows("organization_admin", "platform-metrics:read")).toBe(false);
  expect(rolesWith("members:write")).toEqual(["organization_admin"]);
});

test("a name that is not in the vocabulary is no permission and no role", () => {
  expect(isPermission("audit:read")).toBe(true);
  expect(isPermission("audit:write")).toBe(false);
  expect(isPermission("toString")).toBe(false);
  expect(isRole("billing_viewer")).toBe(true);
  expect(isRole("owner")).toBe(false);
  // @ts-expect-error the union is closed
  const unknown: Permission = "audit:write";
  expect(isPermission(unknown)).toBe(false);
});
