import { expect, test } from "vitest";
import { type Reply, startLoopback, vectorOf } from "../embedders/kit.js";
import { openBench } from "../kit.js";

const QUESTION = "who hunts antelopes?";
const questions = [{ question: QUESTION, relevant: ["lion.md"] }];

/** A collection whose vectors come from an endpoint, which answers as the setbacks say, one after the other, before it does as it should. */
async function openZoo() {
  const setbacks: Reply[] = [];
  const { url, received } = await startLoopback(
    ({ body: { input = [] } }) =>
      setbacks.shift() ?? { body: { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) } },
  );
  const bench = await openBench({ settings: { embedder: { kind: "openai", url, model: "tiny", dimension: 3 } } });
  await bench.fill("zoo", { "lion.md": "The lion hunts antelopes.", "bear.md": "The bear eats honey." });
  received.length = 0;
  return { ...bench, setbacks, received };
}

test("an evaluation waits for an endpoint that is busy", async () => {
  const { call, setbacks, received } = await openZoo();
  setbacks.push({ status: 503, headers: { "retry-after": "0" }, body: "" });
  expect(await call("kb_evaluate", { collection: "zoo", questions })).toMatchObject({ measures: { "recall@10": 1 } });
  expect(received.map(({ body }) => body.input)).toEqual([[QUESTION], [QUESTION]]);
});

test("an evaluation without the vectors of the version fails, and nothing is written down", async () => {
  const { fail, setbacks } = await openZoo();
  setbacks.push({ status: 400, body: { error: "out of order" } });
  expect(await fail("kb_evaluate", { collection: "zoo", questions, save: true })).toMatchObject({
    code: "UNAVAILABLE",
    text: expect.stringContaining("out of order"),
  });
  expect((await fail("kb_evaluate", { collection: "zoo" })).text).toContain("it has no saved questions");
});

test("a version whose vectors cannot be asked has not passed its gates, be it for itself or for the one before", async () => {
  const { call, fail, setbacks, received } = await openZoo();
  await call("kb_evaluate", { collection: "zoo", questions, save: true });
  await call("kb_ingest", { collection: "zoo", texts: [{ name: "a.md", text: "An ant." }], promote: false });
  const setback: Reply = { status: 400, body: { error: "out of order" } };
  const right: Reply = { body: { data: [{ index: 0, embedding: vectorOf(QUESTION) }] } };
  for (const replies of [[setback], [right, setback]]) {
    received.length = 0;
    setbacks.push(...replies);
    expect(await fail("kb_promote", { collection: "zoo" })).toMatchObject({
      code: "GATES_FAILED",
      text: expect.stringMatching(/"questions can be asked" .*out of order/),
    });
    expect(received.length).toBe(replies.length);
  }
  setbacks.push(setback);
  expect(await call("kb_promote", { collection: "zoo", force: true })).toMatchObject({ to: 2 });
});
