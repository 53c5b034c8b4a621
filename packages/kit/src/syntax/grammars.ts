import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { brotliDecompress } from "node:zlib";
import { Language as Grammar } from "web-tree-sitter";
import { builtFile } from "../files/built-file.js";
import { startParser } from "./binding.js";
import type { Language } from "./languages.js";

const FOLDER = builtFile("grammars/");

const unpack = promisify(brotliDecompress);
const loaded = new Map<Language, Promise<Grammar>>();

/** The grammar of a language, read when it is first needed. */
export function grammarOf(language: Language): Promise<Grammar> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const loading = load(language);
  loaded.set(language, loading);
  // What failed is tried again by the next one who asks.
  loading.catch(() => loaded.delete(language));
  return loading;
}

async function load(language: Language): Promise<Grammar> {
  const [packed] = await Promise.all([readFile(new URL(`${language}.wasm.br`, FOLDER)), startParser()]);
  const bytes = await unpack(packed);
  // V8 would optimise the hot parts of it meanwhile: for this one that takes 8 s of CPU, and a process cannot end before it is done.
  if (language === "swift") setFlagsFromString("--liftoff-only");
  return Grammar.load(bytes);
}
