import { setImmediate } from "node:timers/promises";
import type { Embedder, EmbedWish } from "../embedder.js";
import { toUnit } from "../unit.js";
import type { OnnxModel } from "./model.js";
import type { ModelTokenizer } from "./read-tokenizer.js";

/** What makes an embedder of a model. */
export interface OnnxParts {
  readonly name: string;
  readonly model: OnnxModel;
  readonly tokenizer: ModelTokenizer;
  /** The most tokens that the model reads at once, its first and last included. */
  readonly window: number;
  readonly prefixes?: { readonly query: string; readonly passage: string };
}

/** How many texts are given at once: of similar length they lie together, so that little is padded. */
const BATCH = 16;
/** The most tokens of one run, which keeps the thread. More at once take longer for each: they no longer fit the caches. */
const TOKENS_A_RUN = 256;

interface Window {
  readonly text: number;
  readonly tokens: readonly number[];
}

/** An embedder over a transformer. A text that is longer than the model's window is the mean of its windows. */
export async function createOnnxEmbedder(parts: OnnxParts): Promise<Embedder> {
  const { name, model, tokenizer } = parts;
  const [probe] = await model.run([[tokenizer.first, tokenizer.last]]);
  const dimension = probe?.length ?? 0;
  // One run after the other: two at once would only hold each other up.
  let turn: Promise<unknown> = Promise.resolve();
  return {
    name,
    dimension,
    batch: BATCH,
    embed(texts, wish) {
      const work = turn.then(() => embedAll(parts, dimension, texts, wish));
      turn = work.catch(() => undefined);
      return work;
    },
    async close() {
      await turn;
      await model.close();
    },
  };
}

async function embedAll(
  parts: OnnxParts,
  dimension: number,
  texts: readonly string[],
  { kind, signal }: EmbedWish,
): Promise<Float32Array[]> {
  const prefix = parts.prefixes?.[kind] ?? "";
  const windows = texts.flatMap((text, index) => windowsOf(parts, index, prefix + text));
  windows.sort((one, other) => one.tokens.length - other.tokens.length);
  const sums = texts.map(() => new Float32Array(dimension));
  for (let start = 0; start < windows.length; ) {
    signal?.throwIfAborted();
    const some = nextRun(windows, start);
    const vectors = await parts.model.run(some.map(({ tokens }) => tokens));
    for (const [index, { text, tokens }] of some.entries())
      addTo(sums[text], toUnit(vectors[index] as Float32Array), tokens.length);
    start += some.length;
    // Whoever waits for the server meanwhile has a turn.
    await setImmediate();
  }
  return sums.map(toUnit);
}

function windowsOf({ tokenizer, window }: OnnxParts, text: number, content: string): Window[] {
  const { first, last, pieces } = tokenizer;
  const all = pieces.read(content);
  const size = window - 2;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => ({
    text,
    tokens: [first, ...all.subarray(index * size, (index + 1) * size), last],
  }));
}

/** As many windows as one run takes; they are sorted, so that the last one is the longest. */
function nextRun(windows: readonly Window[], start: number): readonly Window[] {
  let end = start + 1;
  while (end < windows.length && (windows[end] as Window).tokens.length * (end + 1 - start) <= TOKENS_A_RUN) end++;
  return windows.slice(start, end);
}

function addTo(sum: Float32Array | undefined, vector: Float32Array, weight: number): void {
  if (sum === undefined) return;
  for (let index = 0; index < sum.length; index++)
    sum[index] = (sum[index] as number) + (vector[index] as number) * weight;
}
