import path from "node:path";
import type { Embedder } from "./embedder.js";
import { MINILM } from "./models/places.js";
import { OnnxModel } from "./onnx/model.js";
import { createOnnxEmbedder } from "./onnx/onnx-embedder.js";
import { readTokenizer } from "./onnx/read-tokenizer.js";
import { loadRuntime } from "./onnx/runtime.js";

/** What the model was trained on, with its first and last token. */
const WINDOW = 256;

/** Opens all-MiniLM-L6-v2 out of the folder that it was installed into. */
export async function openMinilm(folder: string): Promise<Embedder> {
  const tokenizer = await readTokenizer(path.join(folder, "model", "tokenizer.json"));
  const model = await OnnxModel.open(
    loadRuntime(path.join(folder, "runtime")),
    path.join(folder, "model", "model.onnx"),
    "mean",
  );
  return createOnnxEmbedder({ name: MINILM, model, tokenizer, window: WINDOW });
}
