import { readFile } from "node:fs/promises";
import { reasonOf, unavailable } from "../faults.js";
import { Vocabulary } from "../wordpiece/vocabulary.js";
import { WordPieces } from "../wordpiece/word-pieces.js";

/** What a model wants its texts cut with, and put between. */
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

/** Reads a `tokenizer.json`. Throws a `ToolError` unless it is one of BERT's kind. */
export async function readTokenizer(file: string): Promise<ModelTokenizer> {
  const { model, normalizer } = await readJson(file);
  const { vocab, unk_token: unknown = "[UNK]", continuing_subword_prefix: prefix = "##" } = model ?? {};
  if (vocab === undefined || (model?.type ?? "WordPiece") !== "WordPiece" || normalizer?.type !== "BertNormalizer")
    throw unavailable(
      `Cannot use ${file}: only WordPiece with BERT's normaliser is known, and it has ${model?.type ?? "no model"} with ${normalizer?.type ?? "none"}. Serve the model by an endpoint instead.`,
    );
  const { lowercase = true, strip_accents: strip } = normalizer;
  const form = { isLowerCase: lowercase, hasNoAccents: strip ?? lowercase };
  const pieces = new WordPieces(new Vocabulary(linesOf(vocab), prefix), form, unknown);
  const [first, last] = ["[CLS]", "[SEP]"].map((name) => vocab[name]);
  if (first === undefined || last === undefined || vocab[unknown] === undefined)
    throw unavailable(`Cannot use ${file}: it has no [CLS], [SEP] or ${unknown}`);
  return { pieces, first, last };
}

async function readJson(file: string): Promise<TokenizerFile> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as TokenizerFile;
  } catch (error) {
    throw unavailable(`Cannot read ${file}: ${reasonOf(error)}`, error);
  }
}

/** The tokens in the order of their numbers; a number that none has is left empty. */
function linesOf(vocab: Readonly<Record<string, number>>): string {
  const tokens: string[] = [];
  for (const [token, number] of Object.entries(vocab)) tokens[number] = token;
  return Array.from(tokens, (token) => token ?? "").join("\n");
}
