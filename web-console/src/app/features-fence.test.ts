import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(process.cwd(), "src");

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : /\.tsx?$/.test(name) ? [path] : [];
  });
}

function zoneOf(path: string): string {
  const [first, second] = relative(root, path).split("/");
  return first === "features" ? `features/${second}` : (first ?? "");
}

const LOWER: Record<string, string[]> = { api: ["api"], lib: ["lib", "api"], ui: ["ui", "lib", "api"], dashboards: ["dashboards", "lib", "api"] };

test("no feature imports another, and what lies below imports nothing above", () => {
  const faults: string[] = [];
  for (const file of files(root)) {
    const zone = zoneOf(file);
    for (const [, target] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const other = zoneOf(resolve(join(file, ".."), target ?? ""));
      const allowed = zone.startsWith("features/") ? [zone, "dashboards", "ui", "lib", "api", "testing"] : LOWER[zone];
      if (allowed && !allowed.includes(other) && other !== "testing") faults.push(`${relative(root, file)} imports ${target}`);
    }
  }
  expect(faults).toEqual([]);
});
