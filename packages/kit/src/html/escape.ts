import { INVISIBLE } from "../text/invisible.js";

/** Text of a stranger inside HTML, as content or as the value of an attribute: signs that rewrite or hide others are made visible. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(INVISIBLE, code).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const code = (sign: string): string => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
