// Fails the build when the first view, or the part of one page, needs more JavaScript than the budget allows.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FIRST_VIEW = 250_000;
const PAGE = 120_000;

const dist = new URL("dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
const size = (file) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;

function closure(key, seen = new Set()) {
  if (!seen.has(key)) {
    seen.add(key);
    (manifest[key].imports ?? []).forEach((each) => closure(each, seen));
  }
  return seen;
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const shell = closure(entry);
const total = (keys) => [...keys].reduce((sum, key) => sum + size(manifest[key].file), 0);

const faults = [];
let worst = total(shell);
for (const key of Object.keys(manifest).filter((each) => manifest[each].isDynamicEntry)) {
  const own = [...closure(key)].filter((each) => !shell.has(each));
  worst = Math.max(worst, total(shell) + total(own));
  if (size(manifest[key].file) > PAGE) faults.push(`${key} is ${size(manifest[key].file)} bytes; a page has at most ${PAGE}.`);
}
if (worst > FIRST_VIEW) faults.push(`A first view needs ${worst} bytes of JavaScript; at most ${FIRST_VIEW}.`);
console.log(`JavaScript, gzipped: shell ${total(shell)} bytes, largest first view ${worst} bytes (budget ${FIRST_VIEW}).`);
if (faults.length > 0) {
  faults.forEach((fault) => console.error(fault));
  process.exit(1);
}
