import { expect, test } from "vitest";
import { openBench } from "../kit.js";

/** An embedder that is not there: the port is one that nobody listens at. */
const OTHER = { kind: "ollama", url: "http://127.0.0.1:9", model: "other" };

test("a version is asked with the embedder that made it, though the settings name another one by now", async () => {
  const { state, fill } = await openBench();
  await fill("docs", { "a.md": "The heron fishes.", "b.md": "The kettle boils." });
  const { call } = await openBench({ state, settings: { embedder: OTHER } });
  const answer = await call("kb_hybrid_search", { query: "a bird that catches fish", collection: "docs" });
  expect(answer).toMatchObject({ embedder: "static-en-1", warnings: [] });
});

test("an embedder that is none of ours is that of the settings, and each is opened once", async () => {
  const { base } = await openBench();
  const usual = await base.embedder();
  expect(await base.embedder("static-en-1")).toBe(usual);
  expect(await base.embedder("ollama/other")).toBe(usual);
});
