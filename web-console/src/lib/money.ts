/** A decimal as text, with separators and at least two digits behind the point; never through a float. */
export function decimalText(text: string, digits = 0): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!found) return text;
  const [, sign, whole = "0", fraction = ""] = found;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const shown = fraction.padEnd(digits, "0");
  return `${sign ? "−" : ""}${grouped}${shown ? `.${shown}` : ""}`;
}

/** An amount with its currency. */
export function moneyText(text: string, currency: string): string {
  return `${decimalText(text, 2)} ${currency}`;
}

/** How large one of two whole numbers is beside the other, for the length of a bar; 0 to 1. */
export function shareOf(part: string, whole: string): number {
  const all = Number(whole);
  return all > 0 ? Math.min(1, Math.max(0, Number(part) / all)) : 0;
}

/** A month in words. */
export function periodText(period: string): string {
  const found = /^(\d{4})-(\d\d)$/.exec(period);
  if (!found) return period;
  return new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" }).format(Date.UTC(Number(found[1]), Number(found[2]) - 1, 1));
}

/** The first and the last instant of a month in UTC, the latter not part of it. */
export function boundsOfPeriod(period: string): { from: string; to: string } {
  const [year = 1970, month = 1] = period.split("-").map(Number);
  const text = (time: number) => new Date(time).toISOString().replace(".000Z", "Z");
  return { from: text(Date.UTC(year, month - 1, 1)), to: text(Date.UTC(year, month, 1)) };
}

/** The month before or after, as in 2026-11. */
export function periodBeside(period: string, months: number): string {
  const [year = 1970, month = 1] = period.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 7);
}
