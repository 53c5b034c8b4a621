import { expect, test } from "vitest";
import { openShelf, type Shelf } from "./shelf.js";

const PAGES = [
  { name: "car", title: "…", content: "The automobile needs petrol and a driver." },
  { name: "dog", title: "…", content: "A puppy barks at the mailman." },
  { name: "cake", title: "…", content: "Bake the dough with sugar and butter." },
  { name: "sky", title: "…", content: "Astronomers watch stars and planets with a telescope." },
];

async function openFilled(settings = {}): Promise<Shelf> {
  const shelf = await openShelf(settings);
  await shelf.addVersion("c", 1, [PAGES.slice(0, 2), PAGES.slice(2)], { isEmbedded: true });
  return shelf;
}

test("meaning finds what has none of the words", async () => {
  const shelf = await openFilled();
  expect((await shelf.names("vehicle fuel", { mode: "vector" }))[0]).toBe("car");
  expect((await shelf.names("galaxy astronomy", { mode: "hybrid" }))[0]).toBe("sky");
  expect(await shelf.names("vehicle fuel", { mode: "words" })).toEqual([]);
});

test("every partial score is explained, and together they are the score", async () => {
  const shelf = await openFilled();
  const { results } = await shelf.find("puppy sugar dog", { mode: "hybrid", explain: true, expand: true });
  expect(results.length).toBe(4);
  for (const { score, bm25_score, vector_score, explain } of results) {
    const { words, vector } = explain ?? {};
    const sum = (words?.weight ?? 0) * (words?.normalised ?? 0) + (vector?.weight ?? 0) * (vector?.normalised ?? 0);
    expect(sum).toBeCloseTo(score, 12);
    expect(words?.terms.reduce((all, { contribution }) => all + contribution, 0)).toBeCloseTo(bm25_score ?? -1, 9);
    expect(vector?.cosine).toBe(vector_score);
  }
});

test("expands the query with words of the best passages, unless disabled or quoted", async () => {
  const shelf = await openShelf();
  const page = (name: string, content: string) => ({ name, title: "…", content });
  await shelf.addVersion("c", 1, [
    [
      page("1", "wing flutter oscillation"),
      page("2", "wing flutter oscillation"),
      page("3", "oscillation alone"),
      page("4", "heat"),
    ],
  ]);
  expect((await shelf.names("flutter", { expand: true })).toSorted()).toEqual(["1", "2", "3"]);
  const { query_info } = await shelf.find("flutter", { expand: true });
  expect(query_info.expansion_terms).toContain("oscil");
  expect(query_info.total_results).toBe(3);
  expect((await shelf.names("flutter")).toSorted()).toEqual(["1", "2"]);
  expect((await shelf.names("+flutter", { expand: true })).toSorted()).toEqual(["1", "2"]);
});

test("where the embedder cannot be had, words answer and it is said", async () => {
  const shelf = await openFilled({ embedder: { kind: "onnx", folder: "/nowhere" } });
  await shelf.sql("UPDATE versions SET embedder = 'other'");
  const { results, warnings, embedder } = await shelf.find("puppy", { mode: "hybrid" });
  expect(results.map(({ citation }) => citation.source_path)).toEqual(["dog"]);
  expect(embedder).toBe("");
  expect(warnings.join()).toContain("Vectors were not searched, only words: ");
});

test("vectors of another embedder are never compared", async () => {
  const shelf = await openFilled();
  await shelf.sql("UPDATE versions SET embedder = 'other'");
  const { results, warnings } = await shelf.find("puppy", { mode: "hybrid" });
  expect(results.map(({ citation, vector_score }) => [citation.source_path, vector_score])).toEqual([
    ["dog", undefined],
  ]);
  expect(warnings).toEqual([
    "The vectors of c were made by other, but the current embedder is static-en-2, so only words were searched. Set packs.knowledge.embedder to other, or ingest the collection again.",
  ]);
  await expect(shelf.find("puppy", { mode: "vector" })).rejects.toThrow(
    "Cannot search by vectors. The vectors of c were made by other",
  );
});

test("where the vectors are broken, words answer and it is said", async () => {
  const shelf = await openFilled();
  await shelf.breakVectors();
  const { results, warnings } = await shelf.find("puppy", { mode: "hybrid" });
  expect(results.map(({ citation }) => citation.source_path)).toEqual(["dog"]);
  expect(warnings.join()).toMatch(/^The search by vectors failed: .*\. Only words were searched\.$/);
});

test("where the words are broken, vectors answer and it is said", async () => {
  const shelf = await openFilled();
  await shelf.sql("DROP TABLE segment_terms");
  const { results, warnings } = await shelf.find("puppy", { mode: "hybrid" });
  expect(results[0]?.citation.source_path).toBe("dog");
  expect(warnings.join()).toMatch(/^The search by words failed: .*\. Only vectors were searched\.$/);
  await expect(shelf.find("puppy", { mode: "words" })).rejects.toThrow(/no such table|does not exist/);
});

test("passages without vectors are judged by words beside those that have them", async () => {
  const shelf = await openFilled();
  await shelf.addVersion("plain", 1, [[{ name: "plain", title: "…", content: "puppy puppy" }]]);
  const { results, warnings } = await shelf.find("puppy", {
    mode: "hybrid",
    collections: [{ name: "c" }, { name: "plain" }],
  });
  expect(
    results
      .slice(0, 2)
      .map(({ citation }) => citation.source_path ?? "")
      .toSorted(),
  ).toEqual(["dog", "plain"]);
  expect(warnings).toEqual(["plain has no vectors, so only words were searched. Ingest it again to create vectors."]);
});
