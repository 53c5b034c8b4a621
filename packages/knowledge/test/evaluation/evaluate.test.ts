import { expect, test } from "vitest";
import { runGates } from "../../src/evaluation/gates.js";
import { type Bench, openBench } from "../kit.js";

const PAGES = {
  "lion.md": "# Lion\n\nThe lion sleeps by day and hunts antelopes at night.",
  "tiger.md": "# Tiger\n\nThe tiger swims through rivers and likes water.",
  "bear.md": "# Bear\n\nThe bear eats honey and sleeps through winter.",
};

const QUESTIONS = [
  { question: "who hunts antelopes?", relevant: ["lion.md"] },
  { question: "who swims (through rivers)?", relevant: ["tiger.md#Tiger"] },
  { question: "who eats honey?", relevant: ["bear.md"] },
];

async function openZoo(): Promise<Bench> {
  const bench = await openBench();
  await bench.fill("zoo", PAGES);
  return bench;
}

test("a version that answers everything has measures of 1 and no misses", async () => {
  const bench = await openZoo();
  expect(await bench.call("kb_evaluate", { collection: "zoo", questions: QUESTIONS })).toMatchObject({
    collection: "zoo",
    version: 1,
    questions: 3,
    passed: true,
    missed: 0,
    measures: { "recall@1": 1, "recall@10": 1, mrr: 1, "ndcg@10": 1, "precision@5": 0.2 },
  });
});

test("what was missed is said, with what came first instead", async () => {
  const bench = await openZoo();
  const questions = [{ question: "who eats honey?", relevant: ["wolf.md"] }];
  expect(await bench.call("kb_evaluate", { collection: "zoo", questions })).toMatchObject({
    passed: false,
    missed: 1,
    misses: [{ question: "who eats honey?", missing: ["wolf.md"], rank: null, first: "bear.md#L1-L3" }],
    checks: [
      { name: "recall@10", passed: false, value: 0, threshold: 0.7 },
      { name: "mrr", passed: false, value: 0, threshold: 0.4 },
    ],
  });
});

test("questions are kept with the collection only where that is said, and used from then on", async () => {
  const bench = await openZoo();
  await bench.call("kb_evaluate", { collection: "zoo", questions: QUESTIONS });
  const refused = await bench.fail("kb_evaluate", { collection: "zoo" });
  expect(refused.text).toContain("it has no saved questions");
  await bench.call("kb_evaluate", { collection: "zoo", questions: QUESTIONS, save: true });
  expect(await bench.call("kb_evaluate", { collection: "zoo" })).toMatchObject({ questions: 3, passed: true });
  expect(await bench.call("kb_stats", { collection: "zoo" })).toMatchObject({
    collections: [{ quality: { "recall@10": 1, passed: true } }],
  });
});

test("a question that is asked twice, or has nothing that would be right, is refused", async () => {
  const bench = await openZoo();
  const [first] = QUESTIONS;
  const twice = await bench.fail("kb_evaluate", { collection: "zoo", questions: [first ?? {}, first ?? {}] });
  expect(twice.text).toBe("Cannot use question 2: it is a duplicate.");
  const form = 'Cannot use question 1: it must be {"question": text, "relevant": [id, path or path#heading]}.';
  for (const wrong of [{}, { question: "a" }, { question: 1, relevant: ["a"] }, { question: "a", relevant: [1] }])
    expect((await bench.fail("kb_evaluate", { collection: "zoo", questions: [wrong] })).text).toBe(form);
});

test("the gates of a whole version pass without questions: counts agree, and passages are found by their own words", async () => {
  const bench = await openZoo();
  const gates = await runGates(bench.context, "zoo", 1);
  expect(gates).toEqual({
    passed: true,
    checks: [
      { name: "documents are there", passed: true, value: 3, threshold: 3 },
      { name: "passages are there", passed: true, value: 3, threshold: 3 },
      { name: "passages are indexed", passed: true, value: 3, threshold: 3 },
      { name: "passages are found by their own words", passed: true, value: 3, threshold: 3 },
    ],
  });
});

test("a version whose index is damaged does not pass", async () => {
  const bench = await openZoo();
  const store = await bench.context.store();
  await store.write((sql) => sql.run("DELETE FROM segment_terms"));
  const { passed, checks } = await runGates(bench.context, "zoo", 1);
  expect(passed).toBe(false);
  expect(checks.at(-1)).toMatchObject({ name: "passages are found by their own words", passed: false, value: 0 });
  await store.write((sql) => sql.run("DELETE FROM segment_revisions"));
  expect((await runGates(bench.context, "zoo", 1)).checks[2]).toMatchObject({ passed: false, value: 0, threshold: 3 });
});

test("a version that answers worse than the active one is not promoted, unless by force, which is written down", async () => {
  const bench = await openZoo();
  await bench.call("kb_evaluate", { collection: "zoo", questions: QUESTIONS, save: true });
  const texts = [
    { name: "bear.md", text: "# Bear\n\nNothing at all is said about the animal here." },
    { name: "lion.md", text: "# Lion\n\nThe lion eats honey, and hunts antelopes at night." },
  ];
  await bench.call("kb_ingest", { collection: "zoo", texts, promote: false });
  const { passed, checks, measures } = await runGates(bench.context, "zoo", 2);
  expect([passed, measures?.["recall@1"]]).toEqual([false, 0.6667]);
  expect(checks.find(({ name }) => name === "mrr without regression")).toMatchObject({
    passed: false,
    threshold: 0.95,
  });
  expect((await bench.fail("kb_promote", { collection: "zoo", version: 2 })).text).toContain("mrr without regression");
  await bench.call("kb_promote", { collection: "zoo", version: 2, force: true });
  const store = await bench.context.store();
  const row = await store.read((sql) =>
    sql.get("SELECT note FROM changes WHERE kind = 'promoted' ORDER BY seq DESC LIMIT 1"),
  );
  expect(row?.["note"]).toContain("mrr without regression");
});

test("a list without questions is refused, and does not stand for those that are kept", async () => {
  const bench = await openZoo();
  await bench.call("kb_evaluate", { collection: "zoo", questions: QUESTIONS, save: true });
  expect(await bench.fail("kb_evaluate", { collection: "zoo", questions: [] })).toMatchObject({
    code: "INVALID_ARGUMENT",
    text: expect.stringContaining("the list of questions is empty"),
  });
});

test("reports relevant passages that the version does not contain", async () => {
  const bench = await openBench();
  await bench.call("kb_create", { name: "zoo" });
  const url = "https://zoo.example/bear";
  const texts = Object.entries(PAGES).map(([name, text]) => ({ name, text, ...(name === "bear.md" && { url }) }));
  await bench.call("kb_ingest", { collection: "zoo", texts });
  const { results } = await bench.call("kb_hybrid_search", { collection: "zoo", query: "lion" });
  const [{ chunk_id = "", document_id = "" } = {}] = results as { chunk_id?: string; document_id?: string }[];
  const evaluate = (relevant: string[]) =>
    bench.call("kb_evaluate", { collection: "zoo", questions: [{ question: "who hunts antelopes?", relevant }] });
  const known = [chunk_id, document_id, "tiger.md#Tiger", url];
  expect(await evaluate(known)).toMatchObject({ warnings: [] });
  expect(await evaluate([...known, "wolf.md", "wolf.md#Wolf", "chk_0", "https://zoo.example/wolf"])).toMatchObject({
    warnings: ["Version 1 does not contain chk_0, https://zoo.example/wolf, wolf.md: no search can find that."],
  });
});
