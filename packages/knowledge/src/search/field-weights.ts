import { eachToken, type WordForm } from "./terms.js";

/** The texts of a passage that its words are taken from. */
export interface Fields {
  readonly title: string;
  readonly headings: readonly string[];
  readonly content: string;
}

/** How often a word of a title or a heading counts. The content mostly has the nearest heading too. */
const TITLE = 3;
const HEADING = 3;

/** Goes through the words of a passage, with how often each counts. A heading that only says the title again does not count. */
export function eachField(fields: Fields, visit: (form: WordForm, count: number) => void): void {
  eachToken(fields.title, (_start, _end, form) => visit(form, TITLE));
  for (const heading of fields.headings)
    if (heading !== fields.title) eachToken(heading, (_start, _end, form) => visit(form, HEADING));
  eachToken(fields.content, (_start, _end, form) => visit(form, 1));
}

/** How often each term counts in a passage, and all of them together. */
export function countTerms(fields: Fields): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>();
  let length = 0;
  eachField(fields, ({ terms }, count) => {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + count);
    length += terms.length * count;
  });
  return { counts, length };
}
