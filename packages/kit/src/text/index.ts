export { nearest } from "./nearest.js";
export { stem } from "./stem.js";

/** Characters that hide or reorder others: control characters, line separators, bidirectional and zero-width marks, lone surrogates. */
export const INVISIBLE = /[\p{Cc}\p{Cs}\u{061c}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}]/gu;
