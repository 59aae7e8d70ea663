const SI = ["", "k", "M", "G", "T", "P"];

function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return trim(value.toFixed(1));
  return trim(value.toFixed(2));
}

function trim(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function scaled(value: number, step: number): [number, number] {
  let size = Math.abs(value);
  let power = 0;
  while (size >= step && power < SI.length - 1) {
    size /= step;
    power++;
  }
  return [Math.sign(value) * size, power];
}

/** Units as senders write them in words, and multiples of UCUM, as a UCUM unit and a factor. */
const UNITS: Record<string, [string, number]> = {
  byte: ["By", 1],
  bytes: ["By", 1],
  B: ["By", 1],
  Bytes: ["By", 1],
  kBy: ["By", 1e3],
  MBy: ["By", 1e6],
  GBy: ["By", 1e9],
  KiBy: ["By", 1024],
  MiBy: ["By", 1024 ** 2],
  GiBy: ["By", 1024 ** 3],
  seconds: ["s", 1],
  sec: ["s", 1],
  milliseconds: ["ms", 1],
  us: ["s", 1e-6],
  ns: ["s", 1e-9],
  percent: ["%", 1],
  ratio: ["1", 1],
};

/** Whether a unit is a word, which stands apart from the figure, and not a symbol. */
function isWord(unit: string): boolean {
  return /^\p{Ll}{4,}$/u.test(unit.replace(/\/s$/, "")) && !Object.hasOwn(UNITS, unit.replace(/\/s$/, ""));
}

/** What stands over an axis whose figures are in a unit that is a word, as in "points/s"; nothing for a symbol, which each figure has. */
export function unitOfAxis(unit: string): string | undefined {
  if (!isWord(unit)) return undefined;
  const rate = unit.endsWith("/s") ? "/s" : "";
  return many(rate ? unit.slice(0, -2) : unit) + rate;
}

/** The word for more than one, unless its sender wrote it so. */
function many(word: string): string {
  if (/s$/.test(word)) return word;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(ch|sh|x|z)$/.test(word) ? `${word}es` : `${word}s`;
}

const SMALL = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** A figure for people, short, with SI prefixes and the unit of the metric (UCUM). */
export function shortFigure(value: number | null | undefined, unit = "", prefixFrom = 10_000): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const rate = unit.endsWith("/s") ? "/s" : "";
  const written = rate ? unit.slice(0, -2) : unit;
  const known = Object.hasOwn(UNITS, written) ? UNITS[written] : undefined;
  if (known) return shortFigure(value * known[1], known[0] + rate, prefixFrom);
  const plain = written;
  if (plain === "By") {
    const [figure, power] = scaled(value, 1000);
    return `${digits(figure)} ${SI[power]}B${rate}`;
  }
  if (plain === "s" || plain === "ms") return duration(plain === "s" ? value : value / 1000);
  if (plain === "%") return `${digits(value)} %${rate}`;
  const size = Math.abs(value);
  const [figure, power] = scaled(value, 1000);
  const text = size !== 0 && size < 0.01 ? SMALL.format(value) : size >= prefixFrom ? `${digits(figure)}${SI[power] ? " " + SI[power] : ""}` : grouped(value);
  const singular = plain === "1" || plain === "" || plain.startsWith("{") ? "" : plain;
  const name = isWord(singular) && size !== 1 ? many(singular) : singular;
  // A symbol takes the prefix, as in MHz; a word stands apart.
  const joined = size >= prefixFrom && SI[power] && name.length <= 2;
  return (name ? `${text}${joined ? "" : " "}${name}` : text) + rate;
}

function grouped(value: number): string {
  return new Intl.NumberFormat("en", { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 2 }).format(value);
}

/** Seconds for people. */
export function duration(seconds: number): string {
  const size = Math.abs(seconds);
  if (size === 0) return "0 s";
  if (size < 0.001) return `${digits(seconds * 1e6)} µs`;
  if (size < 1) return `${digits(seconds * 1000)} ms`;
  if (size < 120) return `${digits(seconds)} s`;
  if (size < 7200) return `${digits(seconds / 60)} min`;
  if (size < 172_800) return `${digits(seconds / 3600)} h`;
  return `${digits(seconds / 86_400)} d`;
}

const EXACT = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });

/** The whole figure, for whoever wants it exactly. */
export function exactFigure(value: number | null | undefined): string {
  return value === null || value === undefined ? "no value" : EXACT.format(value);
}

/** A count with separators. */
export function count(value: number): string {
  return EXACT.format(value);
}

export function plural(value: number, one: string, many = one + "s"): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
