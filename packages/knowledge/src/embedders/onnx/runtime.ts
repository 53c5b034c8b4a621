import { createRequire } from "node:module";
import path from "node:path";
import { reasonOf, unavailable } from "../faults.js";

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
