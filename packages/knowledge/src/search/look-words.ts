import type { Explanation } from "./search-types.js";

/** What a closer look told of a passage, in words for people, each with its number. */
export function lookWords({ words, vector, repeated }: Explanation): readonly (readonly [what: string, is: number])[] {
  const told: [string, number | undefined][] = [
    ["words in the best stretch", words?.stretch],
    ["neighbours of the query that are near", words?.together],
    ["of a heading, what the query names", words?.heading],
    ["nearest stretch (cosine)", vector?.stretch],
    ["likeness to the best (cosine)", vector?.feedback],
    ["off, since its section is there already", repeated],
  ];
  return told.flatMap(([what, is]) => (is === undefined ? [] : [[what, is] as const]));
}
