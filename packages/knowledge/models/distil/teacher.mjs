// What all-MiniLM-L6-v2 says of each text, and of each token of its vocabulary alone.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The most tokens of a text that the teacher reads. */
const WINDOW = 128;
const BATCH = 32;

/** Installs the teacher where it is not, and asks it of every token; `ask` asks it of texts. What it has said before is in the cache. */
export async function openTeacher(sources, cache, say) {
  const { folder } = await sources.installModel({ folder: cache, progress: ({ message }) => say(message) });
  const file = (name) => path.join(folder, "model", name);
  const { pieces, first, last } = await sources.readTokenizer(file("tokenizer.json"));
  const vocabulary = tokensOf(file("tokenizer.json"));
  const model = await sources.OnnxModel.open(
    sources.loadRuntime(path.join(folder, "runtime")),
    file("model.onnx"),
    "mean",
  );
  const [{ length: dimension }] = await model.run([[first, last]]);
  const ask = (name, all) => asked(cache, name, all, dimension, model, say);
  return {
    pieces,
    vocabulary,
    dimension,
    ofTokens: await ask(
      "tokens",
      vocabulary.map((_, token) => [first, token, last]),
    ),
    /** The vectors of texts in a row, each of length 1. */
    async ask(texts) {
      const windows = texts.map((text) => [first, ...pieces.read(text).subarray(0, WINDOW - 2), last]);
      const vectors = await ask("texts", windows);
      for (let at = 0; at < vectors.length; at += dimension) toUnit(vectors.subarray(at, at + dimension));
      return vectors;
    },
  };
}

async function asked(cache, name, windows, dimension, model, say) {
  const mark = createHash("sha256").update(JSON.stringify(windows)).digest("hex").slice(0, 16);
  const file = path.join(cache, `${name}-${mark}.f32`);
  if (existsSync(file)) return new Float32Array(new Uint8Array(readFileSync(file)).buffer);
  const all = new Float32Array(windows.length * dimension);
  // Of similar length together, so that little is padded.
  const order = windows.map((_, index) => index).sort((a, b) => windows[a].length - windows[b].length || a - b);
  for (let start = 0; start < order.length; start += BATCH) {
    const some = order.slice(start, start + BATCH);
    const vectors = await model.run(some.map((index) => windows[index]));
    for (const [place, index] of some.entries()) all.set(vectors[place], index * dimension);
    if (start % (BATCH * 512) === 0) say(`${name}: ${start} of ${order.length}`);
  }
  writeFileSync(file, new Uint8Array(all.buffer));
  return all;
}

function tokensOf(file) {
  const { vocab } = JSON.parse(readFileSync(file, "utf8")).model;
  return Object.keys(vocab).sort((a, b) => vocab[a] - vocab[b]);
}

/** Makes a vector's length 1, in place. */
export function toUnit(vector) {
  const length = Math.hypot(...vector) || 1;
  for (let index = 0; index < vector.length; index++) vector[index] /= length;
}
