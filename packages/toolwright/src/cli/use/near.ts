import { nearest } from "@toolwright/kit/text";

/** Known names that a mistyped one may stand for. */
export interface Near {
  /** The one that it must stand for; undefined = none is near, or several are. */
  readonly only: string | undefined;
  /** All that are near, the nearest first; a few of them at most. */
  readonly all: readonly string[];
}

const MOST = 3;

/** Finds what a mistyped name may stand for. One that is spelt in another case, or with `-` for `_`, is the one that is meant. */
export function nearOf(word: string, known: Iterable<string>): Near {
  const left = new Set(known);
  const same = [...left].filter((name) => fold(name) === fold(word));
  if (same.length > 0) return { only: same.length === 1 ? same[0] : undefined, all: same.slice(0, MOST) };
  const all: string[] = [];
  while (all.length < MOST) {
    const next = nearest(word, left);
    if (next === undefined) break;
    all.push(next);
    left.delete(next);
  }
  if (all.length < 2) return { only: all[0], all };
  const only = nearestEnd(word, all);
  return { only, all: only === undefined ? all : [only] };
}

/** Names that begin alike are near each other whatever follows, so only what follows tells which of them is meant. */
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

/** The question at the end of a refusal, after a semicolon; nothing where nothing is near. */
export const didYouMean = ({ all }: Near): string => (all.length === 0 ? "" : `; did you mean ${all.join(" or ")}?`);
