/** Text of a stranger inside HTML, as content or as the value of an attribute: signs that rewrite or hide others are made visible. */
export const escape = (text: string): string =>
  text.replaceAll(UNSEEN, code).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Control signs, marks that turn the direction of writing, and lone halves of a character. */
const UNSEEN = /[\p{Cc}\p{Cs}\u{061c}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}]/gu;

const code = (sign: string): string => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
