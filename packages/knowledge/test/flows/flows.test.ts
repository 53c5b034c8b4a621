import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { blocksOf, readPage } from "../../../../tests/docs/pages.js";
import { type Bench, openBench } from "../kit.js";

async function openDocs(): Promise<Bench> {
  const bench = await openBench();
  await bench.fill("docs", {
    "a.md": "# Backups\n\nBackups are kept for thirty days in the cellar of the house.",
    "b.md": "# Users\n\nUsers are added by an administrator, who has a list of them.",
  });
  return bench;
}

const sourcesOf = (results: unknown): unknown[] =>
  (results as JsonObject[]).map((hit) => (hit["citation"] as JsonObject)["source_path"]);

test("search-and-cite finds passages, and gives their citations", async () => {
  const bench = await openDocs();
  const params = { query: "backups kept", collection: "docs", top_k: 1, format: "apa" };
  const { results, citations } = await bench.call("kb_compose_flow", { flow_id: "search-and-cite", params });
  const given = results as JsonObject;
  expect(sourcesOf(given["results"])).toEqual(["a.md"]);
  expect((given["citations"] as JsonObject[])[0]?.["text"]).toBe("Backups (Version 1, lines 1–3). (2031, May 6). a.md");
  expect(citations).toMatchObject([{ anchor: "a.md#L1-L3", version: 1 }]);
});

test("compare-versions lists added and removed documents", async () => {
  const bench = await openDocs();
  const texts = [{ name: "a.md", text: "# Backups\n\nBackups are kept for ninety days." }];
  await bench.call("kb_ingest", { collection: "docs", texts });
  const params = { query: "backups kept", collection: "docs", from: 1, to: 2 };
  const { results } = await bench.call("kb_compose_flow", { flow_id: "compare-versions", params });
  const { gone, new: added } = results as JsonObject;
  expect((gone as JsonObject[]).map(({ content, version }) => [version, content])).toEqual([
    [1, "# Backups\n\nBackups are kept for thirty days in the cellar of the house."],
  ]);
  expect((added as JsonObject[]).map(({ version }) => version)).toEqual([2]);
});

test("brief answers and names its sources", async () => {
  const bench = await openDocs();
  const params = { query: "how long are backups kept", collection: "docs" };
  const { results } = await bench.call("kb_compose_flow", { flow_id: "brief", params });
  expect(results).toMatchObject({
    answer: { answered: true },
    sources: ["Backups (Version 1, lines 1–3). (2031, May 6). a.md"],
  });
});

test("a flow of one's own is run and kept under its id, and its steps use what came before", async () => {
  const bench = await openDocs();
  const flow = {
    id: "only-users",
    defaults: { word: "users" },
    steps: [
      { id: "found", do: "search", with: { query: "{{word}} {{more}}", collection: "docs" } },
      { id: "few", do: "filter", with: { from: "{{found.results}}", by: "title", contains: "{{word}}" } },
    ],
  };
  const first = await bench.call("kb_compose_flow", { flow, params: { more: "backups" } });
  expect(sourcesOf((first["results"] as JsonObject)["results"])).toEqual(["b.md"]);
  const again = await bench.call("kb_compose_flow", { flow_id: "only-users", params: { more: "", word: "backups" } });
  expect(sourcesOf((again["results"] as JsonObject)["results"])).toEqual(["a.md"]);
});

test("the flow of the guide does what it says", async () => {
  const bench = await openDocs();
  const example = blocksOf(readPage("docs/guides/knowledge.md")).find(({ code }) => code.includes(`"flow"`));
  const { flow } = JSON.parse(example?.code ?? "") as { flow: JsonObject };
  const { results } = await bench.call("kb_compose_flow", { flow, params: { query: "backups kept", least: 0.9 } });
  expect(results).toEqual({
    titles: ["Backups"],
    sources: ["Backups (Version 1, lines 1–3). (2031, May 6). a.md"],
  });
});

test("a flow that cannot work is refused with the reason, before anything runs", async () => {
  const bench = await openDocs();
  const search = { id: "found", do: "search", with: { query: "x", collection: "docs" } };
  const refusals: [flow: JsonObject, reason: string][] = [
    [{ id: "a", steps: [] }, 'Cannot use flow "a": it has no steps.'],
    [{ id: "1", steps: [search] }, 'its ID must be letters, digits, "_" and "-", starting with a letter.'],
    [{ id: "a", steps: [search, search] }, 'two steps have the ID "found".'],
    [
      { id: "a", steps: [{ ...search, do: "delete" }] },
      'step "found" has the unknown action "delete"; the actions are search, answer, resolve, filter.',
    ],
    [
      { id: "a", steps: [{ id: "one", do: "filter", with: { from: "{{found.results}}", by: "x" } }, search] },
      'step "one" uses the result of step "found", which comes later.',
    ],
    [{ id: "brief", steps: [search] }, "a built-in flow has this ID"],
    [
      { id: "a", steps: Array.from({ length: 21 }, (_, at) => ({ ...search, id: `s${at}` })) },
      "it has 21 steps; the maximum is 20.",
    ],
    [{ id: "a", steps: [search], given: {} }, 'a flow has no property "given". Did you mean "give"?'],
    [
      { id: "a", steps: [{ ...search, when: "later" }] },
      'step "found" has no property "when". Valid names: id, do, with.',
    ],
    [
      { id: "a", steps: [{ ...search, with: { ...search.with, topk: 1 } }] },
      '"with" of step "found" (search) has no property "topk". Did you mean "top_k"?',
    ],
    [
      { id: "a", steps: [{ ...search, with: { ...search.with, nope: 1 } }] },
      'has no property "nope". Valid names: query, collection, collections, version, top_k, filters.',
    ],
    [
      { id: "a", steps: [{ ...search, with: { ...search.with, min_score: 5 } }] },
      'has no property "min_score". Specify it in "filters".',
    ],
  ];
  for (const [flow, reason] of refusals) expect((await bench.fail("kb_compose_flow", { flow })).text).toContain(reason);
});

test("a missing parameter, an unknown flow and a failed step are said", async () => {
  const bench = await openDocs();
  const missing = await bench.fail("kb_compose_flow", { flow_id: "brief", params: { query: "x" } });
  expect(missing.text).toContain('Cannot run flow "brief": it requires collection in "params".');
  const unknown = await bench.fail("kb_compose_flow", { flow_id: "breif" });
  expect(unknown.text).toContain('No flow has the ID "breif". Did you mean "brief"?');
  const failed = await bench.fail("kb_compose_flow", { flow_id: "brief", params: { query: "x", collection: "dogs" } });
  expect(failed.text).toContain('Step "said" failed:');
});

test("a parameter that a flow does not have is refused by its name", async () => {
  const bench = await openDocs();
  const params = { query: "x", collection: "docs" };
  const run = (more: JsonObject) => bench.fail("kb_compose_flow", { flow_id: "brief", params: { ...params, ...more } });
  expect((await run({ style: "mla" })).text).toContain(
    'Cannot run flow "brief": it has no parameter "style". Valid names: query, collection, format.',
  );
  expect((await run({ formt: "mla" })).text).toContain('it has no parameter "formt". Did you mean "format"?');
  expect((await run({ said: "x" })).text).toContain('it has no parameter "said".');
});

test.each(["{{found.results}}", "{{found.results.*.chunk_id}}", "{{found.results.chunk_id}}"])(
  "%s names passages to cite",
  async (ids) => {
    const bench = await openDocs();
    const steps = [
      { id: "found", do: "search", with: { query: "backups kept", collection: "docs", top_k: 1 } },
      { id: "cited", do: "resolve", with: { chunk_ids: ids } },
    ];
    const { results } = await bench.call("kb_compose_flow", { flow: { id: "mine", steps } });
    expect(results).toMatchObject({ citations: [{ source: "a.md" }], missing: [] });
  },
);

test.each<[step: JsonObject, reason: string]>([
  [
    { do: "resolve", with: { chunk_ids: "{{found.results.nope}}" } },
    '"chunk_ids" must be a list of IDs, or of objects with',
  ],
  [{ do: "filter", with: { from: "{{found.results}}", by: "score", min: "high" } }, '"min" must be a number'],
  [{ do: "filter", with: { from: "{{found.results}}", by: "title", contains: 1 } }, '"contains" must be a string'],
  [{ do: "filter", with: { from: "{{found.results}}", by: "title", unique: 1 } }, '"unique" must be true or false'],
  [{ do: "filter", with: { from: "{{found.results}}", by: "title", except: "x" } }, '"except" must be a list'],
])("what a step cannot use is refused: %j", async (step, reason) => {
  const bench = await openDocs();
  const found = { id: "found", do: "search", with: { query: "backups kept", collection: "docs" } };
  const { text } = await bench.fail("kb_compose_flow", {
    flow: { id: "mine", steps: [found, { id: "next", ...step }] },
  });
  expect(text).toContain(`Step "next" failed: ${reason}`);
});

test("a server that changes nothing runs a flow and does not keep it", async () => {
  const bench = await openDocs();
  const { state, folder, database } = bench;
  const reader = await openBench({ state, folder, database, settings: { readOnly: true } });
  const flow = { id: "mine", steps: [{ id: "found", do: "search", with: { query: "users", collection: "docs" } }] };
  expect(await reader.call("kb_compose_flow", { flow })).toMatchObject({
    warnings: ["The flow was run but not saved: this server is read-only."],
  });
  expect((await reader.fail("kb_compose_flow", { flow_id: "mine" })).code).toBe("NOT_FOUND");
});
