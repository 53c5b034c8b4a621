import { createRequire } from "node:module";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Embedder, type EmbedOptions, reasonOf, toUnit, unavailable } from "./embedder.js";
import type { ModelTokenizer } from "./open-onnx.js";

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
const TOKENS_PER_RUN = 256;

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
    embed(texts, options) {
      const work = turn.then(() => embedAll(parts, dimension, texts, options));
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
  { kind, signal }: EmbedOptions,
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
  while (end < windows.length && (windows[end] as Window).tokens.length * (end + 1 - start) <= TOKENS_PER_RUN) end++;
  return windows.slice(start, end);
}

function addTo(sum: Float32Array | undefined, vector: Float32Array, weight: number): void {
  if (sum === undefined) return;
  for (let index = 0; index < sum.length; index++)
    sum[index] = (sum[index] as number) + (vector[index] as number) * weight;
}

/** How the vectors of tokens become that of their text. */
export type Pooling = "mean" | "cls";

/** More threads are slower on few cores, and take them from the server on many. */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential" };

/** A transformer on disk: numbers of tokens in, vectors out. */
export class OnnxModel {
  readonly #runtime: Runtime;
  readonly #session: RuntimeSession;
  readonly #pooling: Pooling;

  private constructor(runtime: Runtime, session: RuntimeSession, pooling: Pooling) {
    this.#runtime = runtime;
    this.#session = session;
    this.#pooling = pooling;
  }

  /** Loads a model. Throws a `ToolError` that names the file. */
  static async open(runtime: Runtime, file: string, pooling: Pooling): Promise<OnnxModel> {
    try {
      return new OnnxModel(runtime, await runtime.InferenceSession.create(file, SESSION), pooling);
    } catch (error) {
      throw unavailable(`Cannot load the model ${file}: ${reasonOf(error)}`, error);
    }
  }

  /** The vector of each window, of any length. It keeps the thread until it is done. */
  async run(windows: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const length = Math.max(...windows.map((window) => window.length));
    const dims = [windows.length, length];
    const tokens = new BigInt64Array(windows.length * length);
    const mask = new BigInt64Array(windows.length * length);
    for (const [row, window] of windows.entries())
      for (const [column, token] of window.entries()) {
        tokens[row * length + column] = BigInt(token);
        mask[row * length + column] = 1n;
      }
    const given: Record<string, BigInt64Array> = { input_ids: tokens, attention_mask: mask };
    const feeds = this.#session.inputNames.map((name) => {
      const values = given[name] ?? new BigInt64Array(windows.length * length);
      return [name, new this.#runtime.Tensor("int64", values, dims)] as const;
    });
    return this.#pool(await this.#session.run(Object.fromEntries(feeds)), windows);
  }

  async close(): Promise<void> {
    await this.#session.release?.();
  }

  #pool(outputs: Awaited<ReturnType<RuntimeSession["run"]>>, windows: readonly (readonly number[])[]): Float32Array[] {
    const name =
      this.#session.outputNames.find((each) => each === "sentence_embedding") ?? this.#session.outputNames[0];
    const { data, dims } = outputs[name ?? ""] ?? { data: undefined, dims: [] };
    if (!(data instanceof Float32Array) || dims[0] !== windows.length)
      throw unavailable(`Cannot use the model: its output ${name} is no vector of 32-bit floats for each text`);
    if (dims.length === 2) return windows.map((_, row) => data.slice(row * (dims[1] ?? 0), (row + 1) * (dims[1] ?? 0)));
    const [, length = 0, size = 0] = dims;
    return windows.map((window, row) => {
      const first = row * length * size;
      return this.#pooling === "cls" ? data.slice(first, first + size) : meanOf(data, first, window.length, size);
    });
  }
}

function meanOf(all: Float32Array, first: number, count: number, size: number): Float32Array {
  const mean = new Float32Array(size);
  for (let token = 0; token < count; token++) {
    const start = first + token * size;
    for (let index = 0; index < size; index++)
      mean[index] = (mean[index] as number) + (all[start + index] as number) / count;
  }
  return mean;
}

/** The part of onnxruntime-node that is used. */
export interface Runtime {
  readonly InferenceSession: {
    create(file: string, options: Readonly<Record<string, unknown>>): Promise<RuntimeSession>;
  };
  readonly Tensor: new (type: "int64", values: BigInt64Array, dims: readonly number[]) => object;
}

/** A model that is loaded. */
export interface RuntimeSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(feeds: Readonly<Record<string, object>>): Promise<Readonly<Record<string, RuntimeTensor>>>;
  release?(): Promise<void>;
}

interface RuntimeTensor {
  readonly dims: readonly number[];
  readonly data: unknown;
}

/** Loads onnxruntime-node out of the folder that it was installed into. */
export function loadRuntime(folder: string): Runtime {
  try {
    return createRequire(path.join(folder, "runtime.js"))("onnxruntime-node") as Runtime;
  } catch (error) {
    throw unavailable(
      `Cannot load onnxruntime-node from ${folder}: ${reasonOf(error)}. Install it anew with "toolwright kb model install".`,
      error,
    );
  }
}
