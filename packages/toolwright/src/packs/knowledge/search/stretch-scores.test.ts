import { expect, test } from "vitest";
import type { WeightedTerm } from "./bm25.js";
import { scoreStretches } from "./stretch-scores.js";

const termOf = (term: string, idf: number, origin: WeightedTerm["origin"] = "query"): WeightedTerm => ({
  term,
  idf,
  origin,
  weight: 1,
  df: 1,
  postings: [],
});
const terms = [termOf("wing", 3), termOf("heat", 1), termOf("flow", 9, "expansion")];
const gap = "nothing of it ".repeat(20);
const passageOf = (content: string) => ({ title: "", headings: ["Top"], content });

test("words count that stand together in one stretch, each once", async () => {
  const passages = new Map([
    [7, passageOf(`The heat of a wing. ${gap}. More.`)],
    [8, passageOf(`A wing, wings. ${gap}. The heat of a flow.`)],
    [9, passageOf(`${gap}. The heat.`)],
  ]);
  const scores = await scoreStretches(passages, terms, undefined);
  expect([...scores]).toEqual([
    [7, { words: 1, cosine: undefined }],
    [8, { words: 0.75, cosine: undefined }],
    [9, { words: 0.25, cosine: undefined }],
  ]);
});

test("the nearest stretch counts, below its headings; without words and vectors there is nothing to say", async () => {
  const asked: string[] = [];
  const question = {
    vector: Float32Array.of(1, 0),
    embedder: "e",
    embed: async (texts: readonly string[]) => {
      asked.push(...texts);
      return texts.map((text) => (text.includes("here") ? Float32Array.of(0.5, 0) : Float32Array.of(-0.5, 1)));
    },
  };
  const passages = new Map([[1, passageOf(`${gap}. It is here.`)]]);
  expect([...(await scoreStretches(passages, [], question)).values()]).toEqual([{ words: undefined, cosine: 0.5 }]);
  expect(asked).toEqual([`Top\n${gap}.`, "Top\nIt is here."]);
  expect([...(await scoreStretches(passages, [], undefined)).values()]).toEqual([
    { words: undefined, cosine: undefined },
  ]);
});
