// Writes the types of the HTTP contracts and the style variables of the theme; "npm run generate" runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { createTheme, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import openapiTS, { astToString } from "openapi-typescript";

const contracts = new URL("../platform-api/contracts/openapi/", import.meta.url);
const target = new URL("src/api/", import.meta.url);

for (const name of ["control-api", "metrics-api"]) {
  const types = astToString(await openapiTS(new URL(`${name}.yaml`, contracts)));
  writeFileSync(
    new URL(`${name}.gen.ts`, target),
    `// Generated from platform-api/contracts/openapi/${name}.yaml. Do not edit.\n\n${types}`,
  );
}

// Mantine would write these into a <style> element at run time, which the content security policy refuses.
const theme = mergeMantineTheme(
  DEFAULT_THEME,
  createTheme(JSON.parse(readFileSync(new URL("src/ui/theme.json", import.meta.url), "utf8"))),
);
const variables = defaultCssVariablesResolver(theme);
const block = (selector, values) =>
  `${selector} {\n${Object.entries(values)
    .map(([name, value]) => `  ${name}: ${value};`)
    .join("\n")}\n}\n`;
writeFileSync(
  new URL("src/ui/theme.gen.css", import.meta.url),
  "/* Generated from theme.json. Do not edit. */\n" +
    block(":root", variables.variables) +
    block(':root[data-mantine-color-scheme="light"]', variables.light) +
    block(':root[data-mantine-color-scheme="dark"]', variables.dark),
);
