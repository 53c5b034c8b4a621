import { TimedScript } from "@toolwright/kit/time";

/** A place in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The matches of an expression; `slow` = it takes too long by itself; `late` = no time was left for it. */
export type Found = readonly Span[] | "slow" | "late";

/** How long expressions may take in one go, and how long a single one. */
const MAX_MS = { together: 500, one: 250 } as const;
/** How many places of one expression are looked at. */
const MAX_SPANS = 200;

/** It keeps the compiled expressions. Only texts go in and out, for arrays of ours would be ones of another realm there. */
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
 * Finds where each of some expressions fits, until a time on the clock of `performance.now`. People write their own patterns, and one
 * such as (a|a)*b can take years.
 */
export function searchInTime(sources: readonly string[], text: string, until: number): readonly Found[] {
  const found: Found[] = [];
  while (found.length < sources.length) {
    const leftMs = Math.ceil(until - performance.now());
    if (leftMs <= 0) return sources.map((_source, at) => found[at] ?? "late");
    let last = performance.now();
    const take = (spans: string): void => {
      found.push(JSON.parse(spans) as readonly Span[]);
      last = performance.now();
    };
    const rest = JSON.stringify(sources.slice(found.length));
    search.run({ sources: rest, text, take }, Math.min(leftMs, MAX_MS.together));
    // One that was begun late, and ended for it, is the first to be tried again.
    if (found.length < sources.length && performance.now() - last >= MAX_MS.one) found.push("slow");
  }
  return found;
}
