// Writes what the console holds of the vocabularies, src/api/*.gen.ts; "npm run generate" runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";

const contract = new URL("../platform-api/contracts/vocabulary/permissions.yaml", import.meta.url);
const target = new URL("src/api/vocabulary.gen.ts", import.meta.url);

const meters = new URL("../platform-api/contracts/vocabulary/meters.yaml", import.meta.url);
writeFileSync(
  new URL("src/api/meters.gen.ts", import.meta.url),
  "// Generated from platform-api/contracts/vocabulary/meters.yaml. Do not edit.\n\n/** What is metered, with what it means. */\nexport const meters: Record<string, string> = " +
    JSON.stringify(Object.fromEntries(parse(readFileSync(meters, "utf8")).meters.map(({ name, meaning }) => [name, meaning.trim()])), null, 2) +
    ";\n",
);

const reasons = new URL("../platform-api/contracts/vocabulary/rejection-reasons.yaml", import.meta.url);
writeFileSync(
  new URL("src/api/reasons.gen.ts", import.meta.url),
  "// Generated from platform-api/contracts/vocabulary/rejection-reasons.yaml. Do not edit.\n\n/** Why the pipeline sets something aside, and what to do. */\nexport const rejectionReasons: Record<string, string> = " +
    JSON.stringify(
      Object.fromEntries(
        parse(readFileSync(reasons, "utf8"))
          .reasons.filter(({ at }) => at.includes("stream"))
          .map(({ name, meaning, next_step }) => [name, `${meaning} ${next_step}`]),
      ),
      null,
      2,
    ) +
    ";\n",
);

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
