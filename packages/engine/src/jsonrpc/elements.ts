import { endOfValue, skipGap } from "./scan.js";

/** The text of each element of an array, in one pass over text that has been parsed before. */
export function elementTexts(text: string): string[] {
  const elements: string[] = [];
  let at = skipGap(text, skipGap(text, 0) + 1);
  while (at < text.length && text[at] !== "]") {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = skipGap(text, end);
    if (text[at] === ",") at = skipGap(text, at + 1);
  }
  return elements;
}
