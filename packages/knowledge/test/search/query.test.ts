import { beforeEach, expect, test } from "vitest";
import { openShelf, type Shelf } from "./shelf.js";

let shelf: Shelf;

beforeEach(async () => {
  shelf = await openShelf();
  const page = (name: string, content: string) => ({ name, title: "…", content });
  await shelf.addVersion("c", 1, [
    [
      page("layers", "the boundary layers of a wing"),
      page("apart", "the boundary of another layer, and a wing"),
      page("order", "a layer boundary"),
    ],
    [page("heat", "heat of the wing"), page("state", "the state of the art in heat"), page("cold", "cold air")],
    [page("fox", "🦊 runs"), page("dog", "runs by itself")],
  ]);
});

test.each([
  ['"boundary layer"', ["layers"]],
  ['"Boundary LAYERS" wing', ["layers"]],
  ["“boundary layer”", ["layers"]],
  ['"state of the art"', ["state"]],
  ['"state of an art"', []],
  ["boundary AND wing", ["apart", "layers"]],
  ["+boundary +wing", ["apart", "layers"]],
  ["+boundary wing", ["apart", "layers", "order"]],
  ["boundary -wing", ["order"]],
  ["boundary NOT wing", ["order"]],
  ["boundary AND NOT wing", ["order"]],
  ['boundary -"boundary layer"', ["apart", "order"]],
  ['wing AND ("boundary layer" OR heat)', ["heat", "layers"]],
  ['("boundary layer" OR "state of the art")', ["layers", "state"]],
  ["(cold OR heat) AND (air OR art)", ["cold", "state"]],
  ["cold OR heat", ["cold", "heat", "state"]],
  ["cold or heat", ["cold", "heat", "state"]],
  ["cold AND heat", []],
  ["wing(s)", ["apart", "heat", "layers"]],
  ["+the +cold", []],
  ["+the +wing", ["apart", "heat", "layers"]],
  ["wing AND the", ["apart", "heat", "layers"]],
  ["wing AND NOT the", []],
  ["(heat OR air) AND NOT the", ["cold"]],
  ["boundary -the", ["order"]],
  ['"of the"', ["heat", "state"]],
  ['"of the" boundary', ["heat", "state"]],
  ['boundary OR "of the"', ["apart", "heat", "layers", "order", "state"]],
  ['wing -"of the"', ["apart", "layers"]],
  ["(how to heat) AND wing", ["heat"]],
  ['"🦊"', ["fox"]],
  ['"🦊" cold', ["fox"]],
  ["runs AND NOT 🦊", ["dog"]],
  ['"" cold', ["cold"]],
])("%s finds %j", async (query, names) => {
  expect((await shelf.names(query)).toSorted()).toEqual(names);
  const { query_info } = await shelf.find(query);
  expect(query_info.total_results).toBe(names.length);
});

test.each([
  ['"cold air', ["cold"], "the quotation mark at character 1 is not closed"],
  ['cold "', ["cold"], "the quotation mark at character 6 is not closed"],
  ["cold (heat", ["cold", "heat", "state"], 'the "(" at character 6 is not closed'],
  ["what is (the cold", ["cold"], 'the "(" at character 9 is not closed'],
  ["cold AND", ["cold"], "there is nothing after AND"],
  ["OR cold", ["cold"], "there is nothing before the OR at character 1"],
  ["cold AND OR heat", ["cold", "heat", "state"], "there is nothing after AND"],
  ["cold ()", ["cold"], "there is nothing in the parentheses at character 7"],
  ["cold NOT", ["cold"], "there is nothing after the NOT at character 6"],
  ["-cold", ["cold"], "as an expression it would only exclude words"],
  ['"', [], "the quotation mark at character 1 is not closed"],
])("%s is no expression: it finds %j by its words, and says so", async (query, names, reason) => {
  expect((await shelf.names(query)).toSorted()).toEqual(names);
  const { warnings, query_info } = await shelf.find(query);
  expect(warnings).toEqual([`The query was searched as plain words: ${reason}.`]);
  expect(query_info.processed_query).toBe(query);
});

test.each([
  ["cold - heat", ["cold", "heat", "state"]],
  ["cold-heat", ["cold", "heat", "state"]],
  ['"cold"-air', ["cold"]],
  ["tar -x cold", ["cold"]],
  ["cold at -40 degrees", ["cold"]],
  ["cold --air", ["cold"]],
  ["C++ cold", ["cold"]],
  ["don't cold", ["cold"]],
  ["cold :)", ["cold"]],
  ["what is cold (in the air)?", ["cold"]],
  ['a 5" cold', ["cold"]],
  ["cold and not air", ["cold"]],
])("%s is plain words, which find %j", async (query, names) => {
  const { warnings } = await shelf.find(query);
  expect([(await shelf.names(query)).toSorted(), warnings]).toEqual([names, []]);
});

test("no text is refused, whatever signs it has", async () => {
  const signs = ['"', "(", ")", "+", "-", "AND", "OR", "NOT", "cold", " ", "“", "«", "*", "heat"];
  let state = 1;
  for (let round = 0; round < 300; round += 1) {
    let query = "x";
    for (let length = 0; length < 12; length += 1) {
      state = (state * 48_271) % 2_147_483_647;
      query += `${state % 3 === 0 ? " " : ""}${signs[state % signs.length]}`;
    }
    await expect(shelf.find(query), query).resolves.toBeDefined();
  }
});

test("a text of more words than an expression may have is plain words", async () => {
  const { results, warnings } = await shelf.find(`cold ${"AND -x ".repeat(1300)}`);
  expect(results).toHaveLength(1);
  expect(warnings).toEqual(["The query was searched as plain words: it has more than 2000 words and signs."]);
});

test("invisible characters do not split a word", async () => {
  const content = "Die Donau\u00addampf\u200bschiff\ufefffahrt auf dem Fluss";
  await shelf.addVersion("c", 2, [[{ name: "ship", title: "…", content }]]);
  for (const query of ["Donaudampfschifffahrt", "+Donaudampfschifffahrt", '"Donaudampfschifffahrt auf dem"']) {
    expect(await shelf.names(query)).toEqual(["ship"]);
    const [hit] = (await shelf.find(query)).results;
    expect(hit?.highlights[0]).toEqual({ start: 4, end: 28 });
  }
  expect(await shelf.names("Do\u00adnaudampfschiff\u200bfahrt")).toEqual(["ship"]);
});

test("an empty query is refused", async () => {
  await expect(shelf.find("  ")).rejects.toThrow("Cannot search: the query is empty.");
});

test("words that are in every text find nothing by themselves, and do no harm", async () => {
  expect(await shelf.names("the of and")).toEqual([]);
  expect(await shelf.names("what about the cold")).toEqual(["cold"]);
});

test("the words that were asked for are marked where most of them are", async () => {
  const long = `${"filler ".repeat(200)}The cold heat of a Wing.${" filler".repeat(200)}`;
  await shelf.addVersion("c", 2, [[{ name: "long", title: "…", content: long }]]);
  const [hit] = (await shelf.find("cold wings")).results;
  const marked = hit?.highlights.map(({ start, end }) => hit.snippet.slice(start, end));
  expect(marked).toEqual(["cold", "Wing"]);
  expect(long).toContain(hit?.snippet);
  expect(hit?.snippet.length).toBeLessThanOrEqual(320);
});
