import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import type { Embedder } from "../embedder.js";
import { unavailable } from "../faults.js";
import { OnnxModel, type Pooling } from "./model.js";
import { createOnnxEmbedder } from "./onnx-embedder.js";
import { readTokenizer } from "./read-tokenizer.js";
import { loadRuntime } from "./runtime.js";

/** What a model reads at once where its files do not say, and at most. */
const WINDOW = 256;
const LONGEST_WINDOW = 512;
const MODEL_FILES = ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx"];

/** Opens a model of the user's own: a folder as sentence-transformers writes it, run by the runtime in another one. */
export async function openOnnxFolder(
  folder: string,
  runtime: string,
  prefixes: { readonly query: string; readonly passage: string },
): Promise<Embedder> {
  const file = await modelIn(folder);
  const tokenizer = await readTokenizer(path.join(folder, "tokenizer.json"));
  const { window, pooling } = await habitsOf(folder);
  const name = `onnx:${path.basename(path.resolve(folder))}-${await hashOf(file, pooling + prefixes.passage)}`;
  const model = await OnnxModel.open(loadRuntime(runtime), file, pooling);
  return createOnnxEmbedder({ name, model, tokenizer, window, prefixes });
}

async function modelIn(folder: string): Promise<string> {
  for (const name of MODEL_FILES) {
    const file = path.join(folder, name);
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  throw unavailable(`Cannot open the model in ${folder}: there is no ${MODEL_FILES.join(", ")}.`);
}

async function habitsOf(folder: string): Promise<{ readonly window: number; readonly pooling: Pooling }> {
  const [sentence, tokenizer, pooling] = await Promise.all(
    ["sentence_bert_config.json", "tokenizer_config.json", "1_Pooling/config.json"].map((name) =>
      readJson(path.join(folder, name)),
    ),
  );
  const said = [sentence?.["max_seq_length"], tokenizer?.["model_max_length"]].find(
    (value) => typeof value === "number",
  );
  const window = Math.max(8, Math.min(typeof said === "number" ? said : WINDOW, LONGEST_WINDOW));
  return { window, pooling: pooling?.["pooling_mode_cls_token"] === true ? "cls" : "mean" };
}

/** Files that a model may come without. */
async function readJson(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw unavailable(`Cannot read ${file}: it is no JSON.`, error);
  }
}

/** Another file of the same name is another embedder, and so is another way to use it. */
async function hashOf(file: string, use: string): Promise<string> {
  const hash = createHash("sha256").update(use);
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest("hex").slice(0, 12);
}
