import { TimedScript } from "@toolwright/kit/time";

/** A range in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The matches of an expression; `slow` = it takes too long by itself; `late` = the deadline has passed. */
export type SearchResult = readonly Span[] | "slow" | "late";

/** The time limit for one run of several expressions, and for a single expression. */
const MAX_MS = { together: 500, one: 250 } as const;
/** The maximum number of matches of one expression. */
const MAX_SPANS = 200;

/** Caches compiled expressions. Exchanges JSON texts only, because arrays would belong to another realm. */
const search = new TimedScript(`
globalThis.known ??= new Map();
for (const source of JSON.parse(sources)) {
  if (!known.has(source)) known.set(source, new RegExp(source, "gm"));
  const expression = known.get(source);
  expression.lastIndex = 0;
  const found = [];
  for (let match = expression.exec(text); match !== null && found.length < ${MAX_SPANS}; match = expression.exec(text)) {
    if (match[0] === "") expression.lastIndex += 1;
    else found.push({ start: match.index, end: match.index + match[0].length });
  }
  take(JSON.stringify(found));
}`);

/**
 * Searches a text with several expressions, until a deadline on the clock of `performance.now`. Expressions come from users, and one
 * such as (a|a)*b can take exponential time.
 */
export function searchWithTimeout(sources: readonly string[], text: string, deadline: number): readonly SearchResult[] {
  const found: SearchResult[] = [];
  while (found.length < sources.length) {
    const leftMs = Math.ceil(deadline - performance.now());
    if (leftMs <= 0) return sources.map((_source, at) => found[at] ?? "late");
    let last = performance.now();
    const take = (spans: string): void => {
      found.push(JSON.parse(spans) as readonly Span[]);
      last = performance.now();
    };
    const rest = JSON.stringify(sources.slice(found.length));
    search.run({ sources: rest, text, take }, Math.min(leftMs, MAX_MS.together));
    // An expression that started late in the run is tried again first, with its full time.
    if (found.length < sources.length && performance.now() - last >= MAX_MS.one) found.push("slow");
  }
  return found;
}
