import type { Json } from "../jsonrpc/json.js";

const OPENING = "=?base64?";
const CLOSING = "?=";
const TAB = 9;
const BLANK = 32;
const TILDE = 126;
const INTEGER = /^-?\d+(?:\.0+)?$/;

/** Whether a header has characters that none can carry as they are. */
export function isIllegal(value: string): boolean {
  // Every request passes here, and a loop is several times faster than a pattern on a word.
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code > TILDE || (code < BLANK && code !== TAB)) return true;
  }
  return false;
}

/** Whether a header stands for itself, without a closer look. */
export const isPlain = (value: string): boolean => !value.startsWith(OPENING) && !isIllegal(value);

/** The text that a header stands for: base64 between the two marks, else itself. Undefined = the base64 is wrong. */
export function decodeHeader(value: string): string | undefined {
  if (!value.startsWith(OPENING) || !value.endsWith(CLOSING) || value.length < OPENING.length + CLOSING.length)
    return value;
  const encoded = value.slice(OPENING.length, -CLOSING.length);
  const text = Buffer.from(encoded, "base64").toString();
  // Node passes over what is no base64 or no UTF-8; only the right spelling of a text comes back as it was.
  return Buffer.from(text).toString("base64") === encoded ? text : undefined;
}

/** Whether the text of a header says the same as a value of the body. */
export function saysTheSame(text: string, value: Json): boolean {
  if (typeof value === "string") return text === value;
  if (typeof value === "object") return false;
  return text === String(value) || (typeof value === "number" && INTEGER.test(text) && Number(text) === value);
}
