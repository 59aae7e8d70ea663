import { expect, test, type Page } from "@playwright/test";
import { answerQueries, path, rowsOf, simulate } from "./simulated";

const HOUR = 3_600_000;

/** Draws the rows in the Explorer and says how long the chart took, in milliseconds; the fastest of some. */
async function drawn(page: Page, series: number, points: number): Promise<number> {
  const end = Math.floor(Date.now() / HOUR) * HOUR;
  const times = Array.from({ length: points }, (_, index) => end - (points - index) * HOUR);
  const from = new Date(times[0] ?? 0).toISOString();
  await answerQueries(page, rowsOf(Array.from({ length: series }, (_, index) => `s${index}`), "metric.who", times));
  let best = Infinity;
  for (let run = 0; run < 3; run++) {
    await page.goto(`${path}/explorer?metric=many&agg=AVG&by=%5B%22metric.who%22%5D&gran=PT1H&from=${from}&to=${new Date(end).toISOString()}`);
    await expect(page.getByRole("img", { name: /Average of many/ })).toHaveAttribute("data-final", String(series * points), { timeout: 60_000 });
    const took = await page.waitForFunction(() => performance.getEntriesByName("tidemark.chart")[0]?.duration);
    best = Math.min(best, (await took.jsonValue()) ?? Infinity);
  }
  return best;
}

test("a thousand short series and ten long ones are drawn at once @long", async ({ page }) => {
  test.setTimeout(300_000);
  await simulate(page, ["metrics:read", "catalog:read"], [{ name: "many", labels: ["who"] }]);
  const empty = await drawn(page, 1, 2);
  const wide = await drawn(page, 1000, 100);
  const long = await drawn(page, 10, 10_000);
  console.log(`charts: 1 x 2 in ${empty.toFixed(1)} ms, 1,000 x 100 in ${wide.toFixed(1)} ms, 10 x 10,000 in ${long.toFixed(1)} ms`);
  // An empty chart takes about 5 ms where 150 ms are allowed; on a slower machine both take longer.
  expect(wide / empty, `1,000 series took ${wide} ms, an empty chart ${empty} ms`).toBeLessThanOrEqual(30);
  expect(long / empty, `10,000 points took ${long} ms, an empty chart ${empty} ms`).toBeLessThanOrEqual(30);
});
