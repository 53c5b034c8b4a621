import type { Fields } from "./field-weights.js";
import { eachToken } from "./terms.js";

/** A passage, and what its document was read as. */
export interface Headed extends Fields {
  readonly kind: string;
}

/** A heading in the content of Markdown; elsewhere, and in a block of code, such a line is a remark. */
const INNER = /^#{1,6} +(.+)$/gm;
const CODE = /^ {0,3}(```|~~~).*\n[^]*?^ {0,3}\1[`~]*\s*$/gm;

/**
 * How much of a heading the query names, from 0 to 1: of the one above a passage or one in it, whichever it names more of. A heading says in
 * a few words what the text below is about; where the query has all of them, it asks about that.
 */
export function headingScore({ headings, content, kind }: Headed, worth: ReadonlyMap<string, number>): number {
  let most = namedOf(headings.at(-1) ?? "", worth);
  if (kind !== "markdown") return most;
  for (const [, heading = ""] of content.replaceAll(CODE, "").matchAll(INNER))
    most = Math.max(most, namedOf(heading, worth));
  return most;
}

function namedOf(heading: string, worth: ReadonlyMap<string, number>): number {
  const terms = new Set<string>();
  eachToken(heading, (_start, _end, form, kind) => {
    if (kind !== "single") for (const term of form.terms) terms.add(term);
  });
  let named = 0;
  for (const term of terms) if (worth.has(term)) named += 1;
  return named / Math.max(1, terms.size);
}
