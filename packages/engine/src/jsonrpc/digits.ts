import { endOfString } from "./depth.js";

// Strings are passed over by search, not by the pattern: a long one would overflow the pattern's own stack.
const TOKEN = /\s*(?:(")|([{}[\],:])|([^\s{}[\],:"]+))/y;

/**
 * The characters of the number at `path` in JSON text that has been parsed before. `JSON.parse` rounds integers beyond 2^53;
 * this reads them from the source. Of doubled keys the last one counts, as in `JSON.parse`.
 */
export function numberSource(text: string, path: readonly (string | number)[]): string | undefined {
  const here: (string | number)[] = [];
  let key: string | undefined;
  let found: string | undefined;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const [, quote, mark, scalar] = token;
    const last = here.length - 1;
    if (mark === "{" || mark === "[") here.push(mark === "[" ? 0 : "");
    else if (mark === "}" || mark === "]") here.pop();
    else if (mark === "," && typeof here[last] === "number") here[last] += 1;
    else if (mark === ":" && key !== undefined) here[last] = JSON.parse(key) as string;
    else if (quote !== undefined) {
      const start = TOKEN.lastIndex - 1;
      TOKEN.lastIndex = endOfString(text, start) + 1;
      key = text.slice(start, TOKEN.lastIndex);
    } else if (scalar !== undefined && here.length === path.length && here.every((step, at) => step === path[at]))
      found = scalar;
  }
  return found;
}
