import { expect, test } from "vitest";
import type { WeightedTerm } from "../../../src/search/bm25.js";
import { lookClosely } from "../../../src/search/rerank.js";

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
const wish = { terms, order: ["wing", "unknown", "heat"], question: undefined, believed: new Map<number, number>() };

test("words count that stand together in one stretch, each once", async () => {
  const passages = new Map([
    [7, passageOf(`The heat of a wing. ${gap}. More.`)],
    [8, passageOf(`A wing, wings. ${gap}. The heat of a flow.`)],
    [9, passageOf(`${gap}. The heat.`)],
  ]);
  const looks = await lookClosely(passages, wish);
  expect([...looks].map(([key, { stretch }]) => [key, stretch])).toEqual([
    [7, 1],
    [8, 0.75],
    [9, 0.25],
  ]);
});

test("neighbours in the query count where they are near each other, in either order; a query of one word has none", async () => {
  const passages = new Map([
    [1, passageOf("The heat of a wing.")],
    [2, passageOf(`A wing. ${gap}. The heat.`)],
  ]);
  const looks = await lookClosely(passages, { ...wish, order: ["wing", "heat"] });
  expect([...looks.values()].map(({ together }) => together)).toEqual([1, 0]);
  const apart = await lookClosely(passages, wish);
  expect([...apart.values()].map(({ together }) => together)).toEqual([undefined, undefined]);
});

test("a heading counts by how much of it the query names, above the passage or, in Markdown, in it", async () => {
  const passages = new Map([
    [1, passageOf("Text.", "Wings", "The heat of engines")],
    [2, passageOf("Text.\n\n## Wings\n\nMore.", "Tails")],
    [3, passageOf("Text.")],
    [4, { ...passageOf("# wings\nflap()", "heat"), kind: "code" }],
    [5, { ...passageOf("# wings\nflap()"), kind: "code" }],
    [6, passageOf("Run this:\n\n```sh\n# wings\nflap\n```\n\n## The heat of engines\n")],
  ]);
  const looks = await lookClosely(passages, wish);
  expect([...looks.values()].map(({ heading }) => heading)).toEqual([0.5, 1, 0, 1, 0, 0.5]);
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
  const passages = new Map([[1, passageOf(`${gap}. It is here.`, "Top")]]);
  const byMeaning = { ...wish, terms: [], question };
  expect([...(await lookClosely(passages, byMeaning)).values()]).toEqual([{ cosine: 0.5 }]);
  expect(asked).toEqual([`Top\n${gap}.`, "Top\nIt is here."]);
  expect([...(await lookClosely(passages, { ...byMeaning, question: undefined })).values()]).toEqual([{}]);
});

test("a passage also counts by how near it is to those that are believed", async () => {
  const vectors = new Map([
    ["east", [1, 0] as const],
    ["north", [0, 1] as const],
  ]);
  const question = {
    vector: Float32Array.of(1, 0),
    embedder: "e",
    embed: async (texts: readonly string[]) =>
      texts.map((text) => Float32Array.from(vectors.get(text.trim()) ?? [0.6, 0.8])),
  };
  const passages = new Map(["east", "north", "both"].map((text, key) => [key, passageOf(text)]));
  const looks = await lookClosely(passages, { ...wish, terms: [], question, believed: new Map([[1, 0.9]]) });
  expect([...looks.values()].map(({ feedback }) => feedback?.toFixed(2))).toEqual(["0.00", "1.00", "0.80"]);
});
