import { expect, test } from "vitest";
import type { WeightedTerm } from "../../../src/search/bm25.js";
import { rerank } from "../../../src/search/rerank.js";

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
const passageOf = (content: string, ...headings: string[]) => ({ title: "", kind: "markdown", headings, content });
const query = { terms, order: ["wing", "unknown", "heat"], vector: undefined };

test("scores the query terms in the best window, each once", async () => {
  const passages = new Map([
    [7, passageOf(`The heat of a wing. ${gap}. More.`)],
    [8, passageOf(`A wing, wings. ${gap}. The heat of a flow.`)],
    [9, passageOf(`${gap}. The heat.`)],
  ]);
  const scores = await rerank(passages, query);
  expect([...scores].map(([key, { window }]) => [key, window])).toEqual([
    [7, 1],
    [8, 0.75],
    [9, 0.25],
  ]);
});

test("scores adjacent query terms that are close to each other, in either order; a single term has no pairs", async () => {
  const passages = new Map([
    [1, passageOf("The heat of a wing.")],
    [2, passageOf(`A wing. ${gap}. The heat.`)],
  ]);
  const scores = await rerank(passages, { ...query, order: ["wing", "heat"] });
  expect([...scores.values()].map(({ proximity }) => proximity)).toEqual([1, 0]);
  const apart = await rerank(passages, query);
  expect([...apart.values()].map(({ proximity }) => proximity)).toEqual([undefined, undefined]);
});

test("scores the share of a heading that the query names, above the passage or, in Markdown, inside it", async () => {
  const passages = new Map([
    [1, passageOf("Text.", "Wings", "The heat of engines")],
    [2, passageOf("Text.\n\n## Wings\n\nMore.", "Tails")],
    [3, passageOf("Text.")],
    [4, { ...passageOf("# wings\nflap()", "heat"), kind: "code" }],
    [5, { ...passageOf("# wings\nflap()"), kind: "code" }],
    [6, passageOf("Run this:\n\n```sh\n# wings\nflap\n```\n\n## The heat of engines\n")],
  ]);
  const scores = await rerank(passages, query);
  expect([...scores.values()].map(({ heading }) => heading)).toEqual([0.5, 1, 0, 1, 0, 0.5]);
});

test("finds the cosine of the nearest window, with the headings; without terms and vector there are no scores", async () => {
  const embedded: string[] = [];
  const vector = {
    vector: Float32Array.of(1, 0),
    embedder: "e",
    embed: async (texts: readonly string[]) => {
      embedded.push(...texts);
      return texts.map((text) => (text.includes("here") ? Float32Array.of(0.5, 0) : Float32Array.of(-0.5, 1)));
    },
  };
  const passages = new Map([[1, passageOf(`${gap}. It is here.`, "Top")]]);
  const byVector = { ...query, terms: [], vector };
  expect([...(await rerank(passages, byVector)).values()]).toEqual([{ windowCosine: 0.5 }]);
  expect(embedded).toEqual([`Top\n${gap}.`, "Top\nIt is here."]);
  expect([...(await rerank(passages, { ...byVector, vector: undefined })).values()]).toEqual([{}]);
});
