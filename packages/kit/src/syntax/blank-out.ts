/** Spaces for a text, as long as it and with the same lines, so that every offset behind it stays where it was. */
export const blankOut = (text: string): string => text.replaceAll(/[^\r\n]/gu, (letter) => " ".repeat(letter.length));
