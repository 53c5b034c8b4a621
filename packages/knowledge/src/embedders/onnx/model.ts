import { reasonOf, unavailable } from "../faults.js";
import type { Runtime, RuntimeSession } from "./runtime.js";

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
