import { readdir, readFile } from "node:fs/promises";
import { LANGUAGES, type Language, parseSource } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { measure } from "../../src/metrics/measure.js";

const PIECES = Number(process.env["CUT_OFF_PIECES"] ?? 5);

test.each(Object.keys(LANGUAGES) as Language[])(
  "%s: what is cut off anywhere is measured all the same",
  async (language) => {
    const folder = new URL(`corpus/${language}/`, import.meta.url);
    const next = randomFrom(8);
    for (const file of await readdir(folder)) {
      const text = await readFile(new URL(file, folder), "utf8");
      for (let piece = 0; piece < PIECES; piece++) {
        const [one, other] = [Math.floor(next() * text.length), Math.floor(next() * text.length)];
        const cut = text.slice(Math.min(one, other), Math.max(one, other));
        using tree = await parseSource(language, cut);
        const { functions, lines } = measure(tree);
        const outside = functions.filter(({ line, end_line }) => line < 1 || end_line < line || end_line > lines);
        expect({ cut, outside }).toEqual({ cut, outside: [] });
      }
    }
  },
);

/** Numbers from 0 to 1 that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
