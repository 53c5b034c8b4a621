import fc from "fast-check";
import { expect, test } from "vitest";
import { openShelf, type Page } from "./shelf.js";

/** BM25 as its authors give it, over words that are their own stems. */
function plainBm25(pages: readonly Page[], query: readonly string[]): Map<string, number> {
  const words = pages.map(({ content }) => content.split(" "));
  const average = words.reduce((sum, { length }) => sum + length, 0) / words.length;
  const scores = new Map<string, number>();
  for (const [index, page] of pages.entries()) {
    let score = 0;
    for (const term of query) {
      const holders = words.filter((each) => each.includes(term)).length;
      const frequency = words[index]?.filter((word) => word === term).length ?? 0;
      const idf = Math.log(1 + (pages.length - holders + 0.5) / (holders + 0.5));
      const length = words[index]?.length ?? 0;
      score += (idf * frequency * 2.5) / (frequency + 1.5 * (0.25 + (0.75 * length) / average));
    }
    if (score > 0) scores.set(page.name, score);
  }
  return scores;
}

const WORDS = ["wolf", "bird", "fish", "moth", "crab", "newt"];
const content = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
const corpus = fc.array(fc.record({ content, segment: fc.nat(3), isMember: fc.boolean() }), {
  minLength: 2,
  maxLength: 20,
});
const runs = Number(process.env["KNOWLEDGE_RUNS"] ?? 25);

test("scores are those of BM25 over the members alone, however they lie in segments", async () => {
  const shelf = await openShelf();
  let number = 0;
  await fc.assert(
    fc.asyncProperty(corpus, fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1 }), async (given, query) => {
      number += 1;
      // Titles count too: these have no words.
      const pages = given.map((each, index) => ({ ...each, name: `${number}.${index}`, title: "…" }));
      const members = pages.filter(({ isMember }) => isMember);
      const without = pages.filter(({ isMember }) => !isMember).map(({ name }) => name);
      const segments = [0, 1, 2, 3].map((segment) => pages.filter((page) => page.segment === segment));
      await shelf.addVersion("c", number, segments, { without });
      const { results, query_info } = await shelf.find(query.join(" "));
      const expected = members.length === 0 ? new Map<string, number>() : plainBm25(members, query);
      const found = new Map(results.map((hit) => [hit.citation.source_path ?? "", hit.bm25_score ?? 0]));
      expect([...found.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
      for (const [name, score] of expected) expect(found.get(name)).toBeCloseTo(score, 9);
      expect(query_info.total_results).toBe(expected.size);
      const scores = results.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    }),
    { numRuns: runs },
  );
});

test("a title and headings count, and forms of a word are the same", async () => {
  const shelf = await openShelf();
  await shelf.addVersion("c", 1, [
    [
      { name: "content", content: "deleting webhooks is possible" },
      { name: "title", content: "nothing here", title: "Webhook deletion" },
      { name: "headings", content: "nothing there", headings: ["The webhook", "Deleted ones"] },
      { name: "other", content: "nothing anywhere" },
    ],
  ]);
  expect((await shelf.names("delete webhook")).toSorted()).toEqual(["content", "headings", "title"]);
});

test("of passages with equal scores the first comes first, whatever segments they lie in", async () => {
  const shelf = await openShelf();
  const page = (name: string) => ({ name, title: "…", content: "wolf bird" });
  await shelf.addVersion("c", 1, [[page("1"), page("2")], [page("3")], [page("4"), page("5")]]);
  expect(await shelf.names("wolf")).toEqual(["1", "2", "3", "4", "5"]);
  expect(await shelf.names("wolf", { top_k: 2 })).toEqual(["1", "2"]);
});

test("only the twenty most specific words of a query count", async () => {
  const shelf = await openShelf();
  const rare = Array.from({ length: 20 }, (_, index) => `rare${index}`);
  await shelf.addVersion("c", 1, [
    [
      { name: "rare", title: "…", content: rare.join(" ") },
      { name: "common", title: "…", content: "wolf" },
      { name: "common too", title: "…", content: "wolf bird" },
    ],
  ]);
  expect(await shelf.names(`wolf ${rare.join(" ")}`)).toEqual(["rare"]);
});

test("names in code are found whole and by their parts, in any script and accent", async () => {
  const shelf = await openShelf();
  await shelf.addVersion("c", 1, [
    [
      { name: "camel", title: "…", content: "function openFileHandle()" },
      { name: "snake", title: "…", content: "MAX_FILE_SIZE = 100_000" },
      { name: "accent", title: "…", content: "Das Café in Straßburg, ΟΔΟΣ" },
      { name: "japanese", title: "…", content: "東京都の天気予報" },
      { name: "thai", title: "…", content: "ภาษาไทย" },
      { name: "russian", title: "…", content: "Москва" },
      { name: "number", title: "…", content: "version 2.4.0 has 100,000 rows" },
    ],
  ]);
  expect((await shelf.names("file")).toSorted()).toEqual(["camel", "snake"]);
  expect((await shelf.names("openfilehandle"))[0]).toBe("camel");
  expect(await shelf.names("CAFE strassburg")).toEqual(["accent"]);
  expect(await shelf.names("οδος")).toEqual(["accent"]);
  expect(await shelf.names("東京")).toEqual(["japanese"]);
  expect(await shelf.names("都")).toEqual(["japanese"]);
  expect(await shelf.names("ไทย")).toEqual(["thai"]);
  expect(await shelf.names("МОСКВА")).toEqual(["russian"]);
  expect(await shelf.names("2.4.0")).toEqual(["number"]);
  expect(await shelf.names("100000")).toEqual(["number"]);
});
