import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Embedder } from "../../src/embedders/embedder.js";
import { openEmbedder } from "../../src/embedders/open-embedder.js";
import { openMinilm } from "../../src/embedders/open-onnx.js";
import { minilm, models, noMinilm } from "./minilm-folder.js";

const query = { kind: "query" } as const;
const dot = (one: Float32Array | undefined, other: Float32Array | undefined): number =>
  (one ?? new Float32Array()).reduce((sum, value, index) => sum + value * (other?.[index] ?? 0), 0);

describe.skipIf(noMinilm !== undefined)(`all-MiniLM-L6-v2 (${noMinilm ?? "installed"})`, () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openMinilm(minilm);
  });
  afterAll(() => embedder.close());

  test("has a name, a dimension and a size of batches", () => {
    expect(embedder).toMatchObject({ name: "all-MiniLM-L6-v2-q8", dimension: 384, batch: 16 });
  });

  test("gives the vectors that the reference gives", async () => {
    const vectors = await embedder.embed(
      ["How do I reset my password?", "The engine reads one line at a time."],
      query,
    );
    const wanted = [
      [0.0097, -0.0566, -0.072, -0.0381, -0.0447, 0.0615],
      [-0.0874, 0.0536, -0.0639, 0.0195, -0.0844, 0.0118],
    ];
    for (const [index, values] of wanted.entries())
      for (const [at, value] of values.entries()) expect(vectors[index]?.[at]).toBeCloseTo(value, 2);
    for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 5);
  });

  test("puts what means the same nearer than what does not", async () => {
    const [asked, near, far] = await embedder.embed(
      ["How do I reset my password?", "Recover access to an account", "Bake bread at home"],
      query,
    );
    expect(dot(asked, near)).toBeGreaterThan(0.4);
    expect(dot(asked, far)).toBeLessThan(0.2);
  });

  test("gives a text about the same vector among others as alone, and zeros for what has nothing in it", async () => {
    const texts = ["short", "a rather longer text about ships and the sea ".repeat(9), "", "   \n", "three more words"];
    const together = await embedder.embed(texts, query);
    for (const [index, text] of texts.entries()) {
      const [alone] = await embedder.embed([text], query);
      expect(dot(alone, together[index])).toBeCloseTo(text.trim() === "" ? 0 : 1, 1);
    }
    expect(together[2]?.every((value) => value === 0)).toBe(true);
  });

  test("reads all of a long text", async () => {
    const filler = "The committee met on Tuesday and discussed the minutes of the last meeting. ".repeat(30);
    const [plain, ending, asked] = await embedder.embed(
      [filler, `${filler}${"Sourdough bread needs flour, water, salt and time. ".repeat(20)}`, "baking bread"],
      query,
    );
    expect(dot(ending, asked)).toBeGreaterThan(dot(plain, asked) + 0.1);
  });

  test("stops between two runs when the call is cancelled, and works on for others", async () => {
    const stop = new AbortController();
    const long = "words that go on and on ".repeat(2000);
    const cancelled = embedder.embed([long], { ...query, signal: stop.signal });
    const other = embedder.embed(["other"], query);
    stop.abort(new Error("cancelled"));
    await expect(cancelled).rejects.toThrow("cancelled");
    expect((await other)[0]?.length).toBe(384);
  });

  test("is what auto opens where it is installed", async () => {
    const opened = await openEmbedder("auto", os.tmpdir(), models);
    expect(opened.name).toBe("all-MiniLM-L6-v2-q8");
    await opened.close();
  });
});

describe.skipIf(noMinilm !== undefined)(`a model on disk (${noMinilm ?? "installed"})`, () => {
  async function makeModel(): Promise<string> {
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "model-")));
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    await cp(path.join(minilm, "model"), folder, { recursive: true });
    return folder;
  }
  const open = (folder: string, more = {}) => openEmbedder({ kind: "onnx", folder, ...more }, os.tmpdir(), models);

  test("is named after its folder and its content, and after what is put before passages", async () => {
    const folder = await makeModel();
    const [plain, prefixed] = await Promise.all([open(folder), open(folder, { passagePrefix: "passage: " })]);
    expect(plain.name).toMatch(new RegExp(`^onnx:${path.basename(folder)}-[0-9a-f]{12}$`));
    expect(prefixed.name).not.toBe(plain.name);
    const texts = ["passage: hello"];
    const [[wanted], [found]] = [
      await plain.embed(texts, { kind: "passage" }),
      await prefixed.embed(["hello"], { kind: "passage" }),
    ];
    expect(dot(wanted, found)).toBeCloseTo(1, 5);
    await Promise.all([plain.close(), prefixed.close()]);
  });

  test("takes the first token's vector where its files say so", async () => {
    const folder = await makeModel();
    const mean = await open(folder);
    await mkdir(path.join(folder, "1_Pooling"));
    await writeFile(path.join(folder, "1_Pooling", "config.json"), '{"pooling_mode_cls_token":true}');
    const first = await open(folder);
    expect(first.name).not.toBe(mean.name);
    const [[one], [other]] = [await mean.embed(["hello there"], query), await first.embed(["hello there"], query)];
    expect(dot(one, other)).toBeLessThan(0.95);
    await Promise.all([mean.close(), first.close()]);
  });

  test("that is not all there is refused with what is missing", async () => {
    const folder = await makeModel();
    await writeFile(path.join(folder, "tokenizer.json"), '{"model":{"type":"BPE","vocab":{}}}');
    await expect(open(folder)).rejects.toThrow(
      "only WordPiece with BERT's normaliser is supported, but it has BPE with none",
    );
    await rm(path.join(folder, "tokenizer.json"));
    await expect(open(folder)).rejects.toThrow(/^Cannot read .*tokenizer\.json: ENOENT/);
    await cp(path.join(minilm, "model", "tokenizer.json"), path.join(folder, "tokenizer.json"));
    await writeFile(path.join(folder, "model.onnx"), "no model");
    await expect(open(folder)).rejects.toThrow(/^Cannot load the model .*model\.onnx: /);
    await rm(path.join(folder, "model.onnx"));
    await expect(open(folder)).rejects.toThrow("there is no model.onnx, onnx/model.onnx, onnx/model_quantized.onnx.");
  });
});
