/** One limit as people fill it: empty means that the one above it holds. */
export type LimitTexts<K extends string> = Record<K, string>;

/** What is sent of the texts, or what is wrong by field. */
export function limitsOf<K extends string>(texts: LimitTexts<K>): { draft?: Partial<Record<K, number>>; faults: Partial<Record<K, string>> } {
  const draft: Partial<Record<K, number>> = {};
  const faults: Partial<Record<K, string>> = {};
  for (const name of Object.keys(texts) as K[]) {
    const text = texts[name].replaceAll(/[,\s]/g, "");
    if (text === "") continue;
    if (/^[1-9]\d{0,14}$/.test(text)) draft[name] = Number(text);
    else faults[name] = "A whole number above zero, or empty.";
  }
  return Object.keys(faults).length > 0 ? { faults } : { draft, faults };
}

/** The texts of what is set. */
export function textsOf<K extends string>(names: readonly K[], set: Partial<Record<K, number | null>>): LimitTexts<K> {
  return Object.fromEntries(names.map((name) => [name, set[name] === undefined || set[name] === null ? "" : String(set[name])])) as LimitTexts<K>;
}
