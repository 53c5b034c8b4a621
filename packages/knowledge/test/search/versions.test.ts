import { expect, test } from "vitest";
import { openShelf, type Page } from "./shelf.js";

const page = (name: string, content: string, more: Partial<Page> = {}): Page => ({
  name,
  title: "…",
  content,
  ...more,
});

test("an answer has passages of one version alone, also where versions share segments", async () => {
  const shelf = await openShelf();
  const [first = 0] = await shelf.addVersion("c", 1, [[page("old", "wolf"), page("both", "wolf bird")]]);
  await shelf.addVersion("c", 2, [[page("new", "wolf fish")]]);
  await shelf.name("c", 2, [first]);
  await shelf.sql(
    "INSERT INTO members SELECT collection, 2, revision FROM members m WHERE version = 1 AND revision = 2",
  );
  expect((await shelf.names("wolf")).toSorted()).toEqual(["both", "new"]);
  expect((await shelf.names("wolf", { collections: [{ name: "c", version: 1 }] })).toSorted()).toEqual(["both", "old"]);
  await shelf.sql("UPDATE collections SET pinned = 1");
  expect((await shelf.names("wolf")).toSorted()).toEqual(["both", "old"]);
  await expect(shelf.find("wolf", { collections: [{ name: "c", version: 1 }, { name: "c" }] })).rejects.toThrow(
    "A search uses one version of each collection.",
  );
});

test("passages of several collections compare as if they were of one", async () => {
  const shelf = await openShelf();
  const [one, other] = [
    [page("1", "wolf bird"), page("2", "wolf wolf fish")],
    [page("3", "wolf"), page("4", "moth")],
  ];
  await shelf.addVersion("one", 1, [one]);
  await shelf.addVersion("other", 1, [other]);
  await shelf.addVersion("c", 1, [[...one, ...other]]);
  const scores = async (...names: string[]) => {
    const { results } = await shelf.find("wolf bird", { collections: names.map((name) => ({ name })) });
    return results.map(({ citation, bm25_score }) => [citation.source_path, bm25_score]);
  };
  expect(await scores("one", "other")).toEqual(await scores("c"));
  const { results } = await shelf.find("moth", { collections: [{ name: "one" }, { name: "other" }] });
  expect(results.map(({ collection_id, version }) => [collection_id, version])).toEqual([["other", 1]]);
});

test("a collection that is not there is named, with the one that was meant", async () => {
  const shelf = await openShelf();
  await shelf.addVersion("handbook", 1, [[page("1", "wolf")]]);
  await expect(shelf.find("wolf", { collections: [{ name: "handbok" }] })).rejects.toThrow('Did you mean "handbook"?');
  await expect(shelf.find("wolf", { collections: [{ name: "handbook", version: 7 }] })).rejects.toThrow(
    '"handbook" has no version 7. Its versions are 1.',
  );
});

test("filters leave out by kind, type, day and what documents say of themselves", async () => {
  const shelf = await openShelf();
  await shelf.addVersion("c", 1, [
    [
      page("a", "wolf", {
        kind: "markdown",
        modified: "2030-01-01T10:00:00.000Z",
        metadata: { tags: "x, y", team: "red" },
      }),
      page("b", "wolf", { kind: "pdf", modified: "2030-01-02T23:30:00.000Z", metadata: { tags: "y" } }),
      page("c", "wolf", { kind: "markdown", modified: "2030-01-03T00:00:00.000Z", type: "code" }),
    ],
  ]);
  expect(await shelf.names("wolf", { filters: { document_types: ["Markdown"] } })).toEqual(["a", "c"]);
  expect(await shelf.names("wolf", { filters: { chunk_types: ["code", "list"] } })).toEqual(["c"]);
  expect(await shelf.names("wolf", { filters: { date_range: { start: "2030-01-02" } } })).toEqual(["b", "c"]);
  expect(await shelf.names("wolf", { filters: { date_range: { end: "2030-01-02" } } })).toEqual(["a", "b"]);
  expect(await shelf.names("wolf", { filters: { metadata: { tags: "y" } } })).toEqual(["a", "b"]);
  expect(await shelf.names("wolf", { filters: { metadata: { tags: "y", team: "red" } } })).toEqual(["a"]);
  expect(await shelf.names("wolf", { filters: { metadata: { team: "blue" } } })).toEqual([]);
  expect(await shelf.names("wolf", { filters: { document_types: [] } })).toEqual([]);
  expect(await shelf.names("wolf", { filters: { min_score: 1.1 } })).toEqual([]);
  await expect(shelf.find("wolf", { filters: { date_range: { start: "soon" } } })).rejects.toThrow(
    'Cannot filter by date_range.start "soon": it is not a date. Use a form like 2026-03-31 or 2026-03-31T12:00:00Z.',
  );
});

test("a filter changes which passages answer, not what their words are worth", async () => {
  const shelf = await openShelf();
  await shelf.addVersion("c", 1, [[page("a", "wolf bird"), page("b", "wolf", { kind: "pdf" }), page("c", "moth")]]);
  const of = async (filters = {}) =>
    (await shelf.find("wolf", { filters })).results.find(({ citation }) => citation.source_path === "a")?.bm25_score;
  expect(await of({ document_types: ["text"] })).toBe(await of());
});

test("an answer is kept as long as was said, and only for the same versions", async () => {
  const shelf = await openShelf();
  await shelf.addVersion("c", 1, [[page("old", "wolf")]]);
  const ask = async () => {
    const { results, performance_metrics } = await shelf.find("wolf", { cache_ttl: 3600 });
    return [results[0]?.citation.source_path, performance_metrics.cache_hit];
  };
  expect(await ask()).toEqual(["old", false]);
  expect(await ask()).toEqual(["old", true]);
  await shelf.addVersion("c", 2, [[page("new", "wolf")]]);
  expect(await ask()).toEqual(["new", false]);
});
