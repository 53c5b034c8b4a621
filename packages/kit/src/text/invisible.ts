/** Signs that hide or rewrite others: control signs, breaks of a line, marks that turn the direction of writing or have no width, and lone halves of a character. */
export const INVISIBLE = /[\p{Cc}\p{Cs}\u{061c}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}]/gu;
