// Reads npm's CycloneDX bill of materials from stdin and writes it without what only development needs. `npm sbom --omit=dev`
// leaves out react as well, because tools of development ask for it, too.
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const bill = JSON.parse(Buffer.concat(chunks).toString());

const isForDevelopment = (component) =>
  (component.properties ?? []).some(({ name, value }) => name === "cdx:npm:package:development" && value === "true");
const left = new Set(bill.components.filter(isForDevelopment).map((component) => component["bom-ref"]));

bill.components = bill.components.filter((component) => !left.has(component["bom-ref"]));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => !left.has(ref))
  .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => !left.has(ref)) }));
process.stdout.write(JSON.stringify(bill, null, 2) + "\n");
