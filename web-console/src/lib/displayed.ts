/** Characters that change how the text around them is shown, or that nobody sees. */
// eslint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A text of a sender, harmless to show: invisible characters get a visible form, and it is cut to a length that a line takes. */
export function displayed(text: string, most = 120): string {
  const visible = text.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return visible.length > most ? `${[...visible.slice(0, most)].join("")}…` : visible;
}
