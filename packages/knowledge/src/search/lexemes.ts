/** What means something in a query, beside words. */
export type Sign = "(" | ")" | "AND" | "OR" | "NOT" | "+" | "-";
/** A sign, a word or a phrase of a query, with where it stands. */
export type Lexeme =
  | { readonly sign: Sign; readonly at: number }
  | { readonly sign: undefined; readonly at: number; readonly text: string; readonly isPhrase: boolean };

/** More than a query of the longest length has, unless it is made to cost time. */
const MOST_LEXEMES = 2000;
const QUOTES = new Map([
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
]);

/** Why a query is no expression: its words are looked for instead. */
export class NoExpression extends Error {
  override readonly name = "NoExpression";
}

/** A - before a number or a single letter is a sign or an option in a plain text, such as -40 or `tar -x`. */
const WANTED = /^["“„«(\p{L}\p{N}_]/u;
const UNWANTED = /^(?:["“„«(]|(?![A-Za-z](?![\p{L}\p{N}_]))[\p{L}_])/u;

/** Takes a query apart. Throws `NoExpression` where a quotation mark is not closed. */
export function lexemesOf(source: string): Lexeme[] {
  const found: Lexeme[] = [];
  let depth = 0;
  for (let at = 0; at < source.length; ) {
    const character = source[at] as string;
    const closing = QUOTES.get(character);
    if (/\s/.test(character)) at += 1;
    else if (closing !== undefined) {
      const end = source.indexOf(closing, at + 1);
      if (end === -1) throw new NoExpression(`the quotation mark at character ${at + 1} is not closed`);
      found.push({ sign: undefined, at, text: source.slice(at + 1, end), isPhrase: true });
      at = end + 1;
    } else if (character === "(" || (character === ")" && depth > 0)) {
      depth += character === "(" ? 1 : -1;
      found.push({ sign: character, at });
      at += 1;
    } else if ((character === "+" || character === "-") && isSign(source, at)) {
      found.push({ sign: character, at });
      at += 1;
    } else {
      const end = wordEnd(source, at, depth > 0);
      const text = source.slice(at, end);
      if (text === "AND" || text === "OR" || text === "NOT") found.push({ sign: text, at });
      else found.push({ sign: undefined, at, text, isPhrase: false });
      at = end;
    }
  }
  if (found.length > MOST_LEXEMES) throw new NoExpression(`it has more than ${MOST_LEXEMES} words and signs`);
  return found;
}

/** Whether a + or - stands at the start of a word. */
function isSign(source: string, at: number): boolean {
  const isStart = at === 0 || /[\s(]/.test(source[at - 1] as string);
  return isStart && (source[at] === "+" ? WANTED : UNWANTED).test(source.slice(at + 1, at + 5));
}

/** A bracket that opens inside a word closes there too: `call(x)`. */
function wordEnd(source: string, start: number, isInside: boolean): number {
  let [at, open] = [start, 0];
  for (; at < source.length; at += 1) {
    const character = source[at] as string;
    if (/\s/.test(character)) break;
    if (character === "(") open += 1;
    else if (character === ")") {
      if (open === 0 && isInside) break;
      open -= 1;
    }
  }
  return at;
}
