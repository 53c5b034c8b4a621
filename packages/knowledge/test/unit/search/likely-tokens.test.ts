import { expect, test } from "vitest";
import { likelyTokens, mayContainRun } from "../../../src/search/match.js";
import { eachToken } from "../../../src/search/terms.js";

function keysOf(text: string): string[] {
  const keys: string[] = [];
  eachToken(text, (_start, _end, { key }) => keys.push(key));
  return keys;
}

const TEXT = `Dying skies lie tied, lying under the sensibilities of relational happiness; generalizations, conditionally hopping,
luxuriated. The wing's tip (of readFile) and __init__ ugly: early news, singly, exceeding! Valency, rationality's vietnamization_x
conflated  possibly; triplicate hopefulness, analogously communism - innings; only gently idly skis cosmos bias andes atlas`;

test("two words that stand side by side always pass, whatever their endings", () => {
  const keys = keysOf(TEXT);
  expect(keys).toHaveLength(45);
  for (const [index, key] of keys.slice(0, -1).entries()) {
    const run = [key, keys[index + 1] ?? ""];
    expect([run, mayContainRun(TEXT, run)]).toEqual([run, true]);
  }
});

test("words that stand apart do not pass, and what is not plain always does", () => {
  expect(mayContainRun("a boundary of another layer", keysOf("boundary layer"))).toBe(false);
  expect(mayContainRun("a layer boundary", keysOf("boundary layer"))).toBe(false);
  expect(mayContainRun("Boundary\n\nLAYERS", keysOf("boundary layer"))).toBe(true);
  expect(mayContainRun("une couché limite", keysOf("boundary layer"))).toBe(true);
  expect(mayContainRun("nothing", keysOf("version 2.4"))).toBe(true);
});

test("every word that has a term is gone through where it stands, whatever its ending", () => {
  const holding = (each: typeof eachToken, text: string, term: string): string[] => {
    const found: string[] = [];
    each(text, (start, end, { terms }) => {
      if (terms.includes(term)) found.push(`${start} ${end}`);
    });
    return found;
  };
  const all = new Set<string>();
  eachToken(TEXT, (_start, _end, { terms }) => terms.forEach((term) => all.add(term)));
  for (const text of [TEXT, `${TEXT} — é`])
    for (const term of all) {
      expect(holding(likelyTokens(["zebra", term]), text, term)).toEqual(holding(eachToken, text, term));
      expect(holding(likelyTokens([term, "2.4"]), text, term)).toEqual(holding(eachToken, text, term));
    }
  expect(all.size).toBe(41);
  expect(holding(likelyTokens([]), TEXT, "wing")).toEqual([]);
});
