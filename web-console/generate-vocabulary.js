// Writes src/api/vocabulary.gen.ts from the contract; "npm run generate" runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";

const contract = new URL("../platform-api/contracts/vocabulary/permissions.yaml", import.meta.url);
const target = new URL("src/api/vocabulary.gen.ts", import.meta.url);

const { permissions, roles } = parse(readFileSync(contract, "utf8"), { strict: true, uniqueKeys: true });
const text = JSON.stringify;

const lines = [
  "// Generated from platform-api/contracts/vocabulary/permissions.yaml. Do not edit.",
  "",
  "/** Every permission, and what it allows. */",
  "export const permissions = {",
  ...permissions.map(({ name, meaning }) => `  ${text(name)}: ${text(meaning)},`),
  "} as const;",
  "",
  "/** What a caller may do. */",
  "export type Permission = keyof typeof permissions;",
  "",
  "/** Every role, who it is for, and what it allows. */",
  "export const roles = {",
  ...roles.map(
    (role) => `  ${text(role.name)}: { meaning: ${text(role.meaning)}, permissions: ${text(role.permissions)} },`,
  ),
  "} as const satisfies Record<string, { meaning: string; permissions: readonly Permission[] }>;",
  "",
  "/** What somebody is for. */",
  "export type Role = keyof typeof roles;",
  "",
];
writeFileSync(target, lines.join("\n"));
