import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Whatever the browser refused or a script threw, for as long as the page lives. */
export function faultsOf(page: Page): string[] {
  const faults: string[] = [];
  page.on("pageerror", (fault) => faults.push(`script: ${fault.message}`));
  page.on("console", (message) => {
    // A refused request is shown by the page itself; the policy's refusals and React's faults are not.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(`console: ${message.text()}`);
  });
  return faults;
}

export async function wear(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.evaluate((scheme) => localStorage.setItem("mantine-color-scheme-value", scheme), theme);
  await page.reload();
}

export async function expectAccessible(page: Page, what: string): Promise<void> {
  const result = await new AxeBuilder({ page }).analyze();
  const faults = result.violations.map((each) => `${what}: ${each.id} (${each.help}): ${each.nodes.map((node) => `${node.target.join(" ")} ${node.any[0]?.message ?? ""}`).join("; ")}`);
  expect(faults).toEqual([]);
}
