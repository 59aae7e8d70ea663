// Whoever reads records of a topic with the protobuf of the baseline can read those of today.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const contracts = join(import.meta.dirname, "..", "..", "platform-api", "contracts");
const events = join(contracts, "events");
const baseline = join(contracts, "baseline", "events");
const buf = join(import.meta.dirname, "node_modules", ".bin", "buf");
const rules = JSON.stringify({ version: "v2", breaking: { use: ["PACKAGE"] } });

/** What `buf breaking` prints of a change, a line each; empty when nothing breaks. */
function breaks(changed, against) {
  const run = spawnSync(buf, ["breaking", changed, "--against", against, "--config", rules, "--against-config", rules], { encoding: "utf8" });
  // 100: something breaks. Everything else but 0 says that buf could not look.
  assert.ok(run.status === 0 || run.status === 100, `buf ended with ${run.status ?? run.error}: ${run.stderr}`);
  return run.stdout.trim();
}

test("no record of today breaks a reader of the baseline", () => {
  assert.equal(breaks(events, baseline), "");
});

for (const [name, text, instead, found] of [
  ["a field that is gone", "  string environment_id = 2;\n", "", /field "2" with name "environment_id" on message "TenantControl" was deleted/],
  ["a field with another number", "string environment_id = 2;", "string environment_id = 20;", /field "2" .* was deleted/],
  ["a field with another type", "int64 version = 6;", "string version = 6;", /changed type from "int64" to "string"/],
  ["a field with another name", "TenantState state = 3;", "TenantState condition = 3;", /changed name from "state" to "condition"/],
  ["a value of an enum that is gone", "  TENANT_STATE_SUSPENDED = 2;\n", "", /enum value "2" .* was deleted/],
]) {
  test(`${name} is found`, () => {
    const changed = mkdtempSync(join(tmpdir(), "contracts-"));
    try {
      cpSync(events, changed, { recursive: true });
      const file = join(changed, "tidemark", "control", "v1", "tenant.proto");
      const before = readFileSync(file, "utf8");
      assert.ok(before.includes(text), `${file} has no ${text}`);
      writeFileSync(file, before.replace(text, instead));
      assert.match(breaks(changed, events), found);
    } finally {
      rmSync(changed, { recursive: true });
    }
  });
}

test("a field more breaks nobody", () => {
  const changed = mkdtempSync(join(tmpdir(), "contracts-"));
  try {
    cpSync(events, changed, { recursive: true });
    const file = join(changed, "tidemark", "control", "v1", "tenant.proto");
    writeFileSync(file, readFileSync(file, "utf8").replace("  int64 version = 6;", "  int64 version = 6;\n  string colour = 99;"));
    assert.equal(breaks(changed, events), "");
  } finally {
    rmSync(changed, { recursive: true });
  }
});
