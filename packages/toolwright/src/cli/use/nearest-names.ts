import { nearest } from "@toolwright/kit/text";

/** Finds known names that are similar to a mistyped one. */
export interface NearestNames {
  /** The only candidate; undefined if there are none or several. */
  readonly only: string | undefined;
  /** The nearest names, nearest first, at most three. */
  readonly all: readonly string[];
}

const LIMIT = 3;

/** Finds the known names that are similar to a mistyped one. A name that differs only in case, or in `-` and `_`, is the only result. */
export function nearestNames(word: string, known: Iterable<string>): NearestNames {
  const left = new Set(known);
  const same = [...left].filter((name) => fold(name) === fold(word));
  if (same.length > 0) return { only: same.length === 1 ? same[0] : undefined, all: same.slice(0, LIMIT) };
  const all: string[] = [];
  while (all.length < LIMIT) {
    const next = nearest(word, left);
    if (next === undefined) break;
    all.push(next);
    left.delete(next);
  }
  if (all.length < 2) return { only: all[0], all };
  const only = nearestEnd(word, all);
  return { only, all: only === undefined ? all : [only] };
}

/** Names with a common start are always similar, so only the rest is compared. */
function nearestEnd(word: string, names: readonly string[]): string | undefined {
  let shared = 0;
  while (shared < word.length && names.every((name) => name[shared] === word[shared])) shared += 1;
  const ends = new Map(names.map((name) => [name.slice(shared), name]));
  const end = word.slice(shared);
  const near = nearest(end, ends.keys());
  if (near === undefined) return undefined;
  ends.delete(near);
  return nearest(end, ends.keys()) === undefined ? names.find((name) => name.slice(shared) === near) : undefined;
}

const fold = (name: string): string => name.replaceAll(/[-_]/g, "").toLowerCase();

/** The question at the end of an error message; empty if no name is near. */
export const didYouMean = ({ all }: NearestNames): string =>
  all.length === 0 ? "" : `; did you mean ${all.join(" or ")}?`;
