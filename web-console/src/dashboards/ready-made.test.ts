import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dashboardOf } from "../lib/dashboard";

const folder = join(process.cwd(), "src/dashboards");

test.each(readdirSync(folder).filter((name) => name.endsWith(".json")))("%s has the form that people export and import", (name) => {
  const read = dashboardOf(JSON.parse(readFileSync(join(folder, name), "utf8")));
  expect(read.faults).toEqual([]);
  expect(read.ignored).toEqual([]);
  expect(read.dashboard?.panels.length).toBeGreaterThan(3);
});
