import { defineConfig } from "@playwright/test";

/** One browser, one page after the other: the stack shares the machine with everything else. */
export default defineConfig({
  testDir: ".",
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  retries: 0,
  reporter: [["list"], ["json", { outputFile: process.env["CONSOLE_REPORT"] ?? "test-results/report.json" }]],
  // The rest runs by make test-console.
  ...(process.env["CONSOLE_ALL"] ? {} : { grepInvert: /@long/ }),
  // Pictures are no test, and figures of speed want the machine for themselves.
  ...(process.env["CONSOLE_LIGHTHOUSE"]
    ? { testMatch: "lighthouse.spec.ts" }
    : process.env["CONSOLE_SCREENSHOTS"] && !process.env["CONSOLE_ALL"]
      ? { testMatch: "screenshots.spec.ts" }
      : { testIgnore: ["lighthouse.spec.ts", ...(process.env["CONSOLE_SCREENSHOTS"] ? [] : ["screenshots.spec.ts"])] }),
  use: {
    baseURL: process.env["CONSOLE_URL"],
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
    viewport: { width: 1440, height: 900 },
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
});
