import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import type { components } from "./control-api.gen.js";
import { allows, isPermission, isRole } from "./permissions.js";
import { permissions, roles, type Permission, type Role } from "./vocabulary.gen.js";

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

// The compiler is the test: a role of one contract that the other has not is an error here.
const rolesOfBothContractsAreTheSame: Same<Role, components["schemas"]["Role"]> = true;

interface Entry {
  name: string;
  meaning: string;
}

const contract = parse(
  readFileSync(new URL("../../../platform-api/contracts/vocabulary/permissions.yaml", import.meta.url), "utf8"),
) as { permissions: Entry[]; roles: (Entry & { permissions: string[] })[] };

test("permissions and their meanings are those of the contract", () => {
  assert.deepEqual(Object.entries(permissions), contract.permissions.map(({ name, meaning }) => [name, meaning]));
});

test("roles and what they allow are those of the contract", () => {
  assert.ok(rolesOfBothContractsAreTheSame);
  assert.deepEqual(
    Object.entries(roles).map(([name, role]) => ({ name, ...role })),
    contract.roles,
  );
});

test("a role allows what it lists and nothing else", () => {
  assert.ok(allows("developer", "metrics:write"));
  assert.ok(!allows("metrics_viewer", "metrics:write"));
  assert.ok(!allows("organization_admin", "platform-metrics:read"));
});

test("a name that is not in the vocabulary is no permission and no role", () => {
  assert.ok(isPermission("audit:read"));
  assert.ok(!isPermission("audit:write"));
  assert.ok(!isPermission("toString"));
  assert.ok(isRole("billing_viewer"));
  assert.ok(!isRole("owner"));
  // @ts-expect-error the union is closed
  const unknown: Permission = "audit:write";
  assert.ok(!isPermission(unknown));
});
