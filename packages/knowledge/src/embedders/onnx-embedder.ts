import { createRequire } from "node:module";
import path from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Embedder, type EmbedOptions, reasonOf, toUnit, unavailable } from "./embedder.js";
import type { ModelTokenizer } from "./open-onnx.js";

/** The parts of an embedder for a model. */
export interface OnnxParts {
  readonly name: string;
  readonly model: OnnxModel;
  readonly tokenizer: ModelTokenizer;
  /** The maximum number of tokens per input, including the first and the last one. */
  readonly window: number;
  readonly prefixes?: { readonly query: string; readonly passage: string };
}

/** The number of texts per call. Texts of similar length are grouped, which reduces padding. */
const BATCH = 16;
/** The maximum number of tokens per run, which blocks the thread. Larger runs are slower per token, because they exceed the CPU caches. */
const TOKENS_PER_RUN = 256;

interface Window {
  readonly text: number;
  readonly tokens: readonly number[];
}

/** Creates an embedder for a transformer. The vector of a text that is longer than the window is the mean of its windows. */
export async function createOnnxEmbedder(parts: OnnxParts): Promise<Embedder> {
  const { name, model, tokenizer } = parts;
  const [probe] = await model.run([[tokenizer.first, tokenizer.last]]);
  const dimension = probe?.length ?? 0;
  // Runs are sequential, because concurrent runs would only slow each other down.
  let queue: Promise<unknown> = Promise.resolve();
  return {
    name,
    dimension,
    batch: BATCH,
    embed(texts, options) {
      const work = queue.then(() => embedAll(parts, dimension, texts, options));
      queue = work.catch(() => undefined);
      return work;
    },
    async close() {
      await queue;
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
    // Lets other requests run.
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

/** Returns the windows for one run. They are sorted by length, so the last one is the longest. */
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

/** How token vectors are combined into the vector of a text. */
export type Pooling = "mean" | "cls";

/** More threads are slower on few cores, and block the server on many. */
const SESSION = { intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: "sequential" };

/** A transformer on disk that maps token IDs to vectors. */
export class OnnxModel {
  readonly #runtime: Runtime;
  readonly #session: RuntimeSession;
  readonly #pooling: Pooling;

  private constructor(runtime: Runtime, session: RuntimeSession, pooling: Pooling) {
    this.#runtime = runtime;
    this.#session = session;
    this.#pooling = pooling;
  }

  /** Loads a model. Throws a `ToolError` with the path of the file. */
  static async open(runtime: Runtime, file: string, pooling: Pooling): Promise<OnnxModel> {
    try {
      return new OnnxModel(runtime, await runtime.InferenceSession.create(file, SESSION), pooling);
    } catch (error) {
      throw unavailable(`Cannot load the model ${file}: ${reasonOf(error)}`, error);
    }
  }

  /** Returns the vector of each window. The vectors are not normalised. Blocks the thread. */
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
    const inputs: Record<string, BigInt64Array> = { input_ids: tokens, attention_mask: mask };
    const feeds = this.#session.inputNames.map((name) => {
      const values = inputs[name] ?? new BigInt64Array(windows.length * length);
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
      throw unavailable(
        `Cannot use the model: its output ${name} does not have a vector of 32-bit floats for each text`,
      );
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

/** The subset of onnxruntime-node that is used. */
export interface Runtime {
  readonly InferenceSession: {
    create(file: string, options: Readonly<Record<string, unknown>>): Promise<RuntimeSession>;
  };
  readonly Tensor: new (type: "int64", values: BigInt64Array, dims: readonly number[]) => object;
}

/** A loaded model. */
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

/** Loads onnxruntime-node from its installation folder. */
export function loadRuntime(folder: string): Runtime {
  try {
    return createRequire(path.join(folder, "runtime.js"))("onnxruntime-node") as Runtime;
  } catch (error) {
    throw unavailable(
      `Cannot load onnxruntime-node from ${folder}: ${reasonOf(error)}. Install it again with "toolwright kb model install".`,
      error,
    );
  }
}
