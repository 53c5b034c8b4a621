import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { type Embedder, reasonOf, unavailable } from "./embedder.js";
import { createOnnxEmbedder, loadRuntime, OnnxModel, type Pooling } from "./onnx-embedder.js";
import { MINILM } from "./open-embedder.js";
import { Vocabulary } from "./vocabulary.js";
import { WordPieces } from "./word-pieces.js";

/** The default and the maximum window in tokens. */
const DEFAULT_WINDOW = 256;
const MAX_WINDOW = 512;
const MODEL_FILES = ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx"];

/** Opens a model folder in the format of sentence-transformers, with the runtime from another folder. */
export async function openOnnxFolder(
  folder: string,
  runtime: string,
  prefixes: { readonly query: string; readonly passage: string },
): Promise<Embedder> {
  const file = await modelIn(folder);
  const tokenizer = await readTokenizer(path.join(folder, "tokenizer.json"));
  const { window, pooling } = await readModelOptions(folder);
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

async function readModelOptions(folder: string): Promise<{ readonly window: number; readonly pooling: Pooling }> {
  const [sentence, tokenizer, pooling] = await Promise.all(
    ["sentence_bert_config.json", "tokenizer_config.json", "1_Pooling/config.json"].map((name) =>
      readOptionalJson(path.join(folder, name)),
    ),
  );
  const maxTokens = [sentence?.["max_seq_length"], tokenizer?.["model_max_length"]].find(
    (value) => typeof value === "number",
  );
  const window = Math.max(8, Math.min(typeof maxTokens === "number" ? maxTokens : DEFAULT_WINDOW, MAX_WINDOW));
  return { window, pooling: pooling?.["pooling_mode_cls_token"] === true ? "cls" : "mean" };
}

/** Reads an optional file of a model. */
async function readOptionalJson(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw unavailable(`Cannot read ${file}: it is not JSON.`, error);
  }
}

/** Hashes the model file and how it is used, because both determine the vectors. */
async function hashOf(file: string, use: string): Promise<string> {
  const hash = createHash("sha256").update(use);
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest("hex").slice(0, 12);
}

/** The tokenizer of a model, with the tokens that start and end each input. */
export interface ModelTokenizer {
  readonly pieces: WordPieces;
  readonly first: number;
  readonly last: number;
}

interface TokenizerFile {
  readonly model?: {
    readonly type?: string;
    readonly vocab?: Readonly<Record<string, number>>;
    readonly unk_token?: string;
    readonly continuing_subword_prefix?: string;
  };
  readonly normalizer?: {
    readonly type?: string;
    readonly lowercase?: boolean;
    readonly strip_accents?: boolean | null;
  } | null;
}

/** Reads a `tokenizer.json`. Throws a `ToolError` if it is not a BERT tokenizer. */
export async function readTokenizer(file: string): Promise<ModelTokenizer> {
  const { model, normalizer } = await readTokenizerFile(file);
  const { vocab, unk_token: unknown = "[UNK]", continuing_subword_prefix: prefix = "##" } = model ?? {};
  if (vocab === undefined || (model?.type ?? "WordPiece") !== "WordPiece" || normalizer?.type !== "BertNormalizer")
    throw unavailable(
      `Cannot use ${file}: only WordPiece with BERT's normaliser is supported, but it has ${model?.type ?? "no model"} with ${normalizer?.type ?? "none"}. Serve the model from an endpoint instead.`,
    );
  const { lowercase = true, strip_accents: strip } = normalizer;
  const form = { isLowerCase: lowercase, hasNoAccents: strip ?? lowercase };
  const pieces = new WordPieces(new Vocabulary(linesOf(vocab), prefix), form, unknown);
  const [first, last] = ["[CLS]", "[SEP]"].map((name) => vocab[name]);
  if (first === undefined || last === undefined || vocab[unknown] === undefined)
    throw unavailable(`Cannot use ${file}: it does not have [CLS], [SEP] or ${unknown}`);
  return { pieces, first, last };
}

async function readTokenizerFile(file: string): Promise<TokenizerFile> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as TokenizerFile;
  } catch (error) {
    throw unavailable(`Cannot read ${file}: ${reasonOf(error)}`, error);
  }
}

/** Returns the tokens in the order of their IDs, one per line. Unused IDs are empty lines. */
function linesOf(vocab: Readonly<Record<string, number>>): string {
  const tokens: string[] = [];
  for (const [token, number] of Object.entries(vocab)) tokens[number] = token;
  return Array.from(tokens, (token) => token ?? "").join("\n");
}

/** The window that the model was trained with, including the first and last token. */
const MINILM_WINDOW = 256;

/** Opens all-MiniLM-L6-v2 from its installation folder. */
export async function openMinilm(folder: string): Promise<Embedder> {
  const tokenizer = await readTokenizer(path.join(folder, "model", "tokenizer.json"));
  const model = await OnnxModel.open(
    loadRuntime(path.join(folder, "runtime")),
    path.join(folder, "model", "model.onnx"),
    "mean",
  );
  return createOnnxEmbedder({ name: MINILM, model, tokenizer, window: MINILM_WINDOW });
}
