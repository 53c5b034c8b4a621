import { expect, test } from "vitest";
import { type Bench, openBench } from "../kit.js";
import { type Loopback, type Received, type Reply, startLoopback, vectorOf } from "./kit.js";

const openai = ({ body: { input = [] } }: Received): Reply => ({
  body: { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) },
});

/** A collection whose vectors an endpoint has made, which from then on answers as `setback` says. */
async function openFallen(setback: Reply, more = {}): Promise<{ bench: Bench; endpoint: Loopback }> {
  let isUp = true;
  const endpoint = await startLoopback((request) => (isUp ? openai(request) : setback));
  const embedder = { kind: "openai", url: `${endpoint.url}/v1`, model: "tiny", ...more };
  const first = await openBench({ settings: { embedder } });
  await first.fill("birds", {
    "owl.md": "The owl hunts at night. It sees well in the dark.",
    "hen.md": "A hen lays eggs.",
  });
  isUp = false;
  // Another server, which has spoken to no endpoint yet.
  const { state, folder, clock } = first;
  const bench = await openBench({ settings: { embedder }, state, folder, clock });
  endpoint.received.length = 0;
  return { bench, endpoint };
}

const search = (bench: Bench) => bench.call("kb_hybrid_search", { query: "owl", collection: "birds" });

test.each<[string, Reply, object]>([
  ["cut", "cut", {}],
  ["cut, and its dimension is known", "cut", { dimension: 3 }],
  ["busy", { status: 503, headers: { "retry-after": "3600" }, body: "" }, {}],
  ["silent", "never", { timeoutMs: 100 }],
])("a search asks an endpoint once: %s", async (_, setback, more) => {
  const { bench, endpoint } = await openFallen(setback, more);
  const { results, warnings } = await search(bench);
  expect(results).toMatchObject([{ title: "owl.md" }, {}]);
  expect(warnings).toEqual([
    expect.stringMatching(/^Vectors were not searched, only words: Cannot embed texts with the model tiny at /),
  ]);
  expect(endpoint.received.length).toBe(1);
});

test("an endpoint that is down is not asked again for some seconds, and then it is", async () => {
  const { bench, endpoint } = await openFallen("cut");
  const { warnings } = await search(bench);
  bench.clock.pass(10);
  expect((await search(bench))["warnings"]).toEqual(warnings);
  expect(endpoint.received.length).toBe(1);
  bench.clock.pass(10);
  await search(bench);
  expect(endpoint.received.length).toBe(2);
});

test.each([400, 429, 500])("an endpoint that refuses one question with %i is asked the next", async (status) => {
  const { bench, endpoint } = await openFallen({ status, body: { error: "too long" } }, { dimension: 3 });
  await search(bench);
  await search(bench);
  expect(endpoint.received.length).toBe(2);
});

test("words answer where an endpoint keeps silent, long before the call is given up", async () => {
  const { bench } = await openFallen("never");
  const { results, warnings } = await search(bench);
  expect(results).toMatchObject([{ title: "owl.md" }, {}]);
  expect(warnings).toEqual([expect.stringContaining("no answer within 2000 ms.")]);
});

test("an answer is found by words where the endpoint fails halfway", async () => {
  let isUp = true;
  const endpoint = await startLoopback((request) => {
    const isSentences = (request.body.input?.length ?? 0) > 1;
    return isUp || !isSentences ? openai(request) : "cut";
  });
  const bench = await openBench({ settings: { embedder: { kind: "openai", url: endpoint.url, model: "tiny" } } });
  await bench.fill("birds", { "owl.md": "The owl hunts at night. It sees well in the dark." });
  isUp = false;
  const { answered, warnings } = await bench.call("kb_answer", {
    query: "When does the owl hunt?",
    collection: "birds",
  });
  expect(answered).toBe(true);
  expect(warnings).toEqual([expect.stringContaining("Sentences were ranked by words only: Cannot embed texts")]);
  // That it is down holds for the next one too.
  const before = endpoint.received.length;
  await search(bench);
  expect(endpoint.received.length).toBe(before);
});

test("a version that our own table has made needs no endpoint", async () => {
  const first = await openBench();
  await first.fill("birds", { "owl.md": "The owl hunts at night." });
  const endpoint = await startLoopback(() => "cut");
  const embedder = { kind: "openai", url: endpoint.url, model: "tiny" };
  const bench = await openBench({ settings: { embedder }, state: first.state, folder: first.folder });
  expect(await search(bench)).toMatchObject({ embedder: "static-en-2", warnings: [] });
  expect(endpoint.received.length).toBe(0);
});
