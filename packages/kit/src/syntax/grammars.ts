import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { setFlagsFromString } from "node:v8";
import { brotliDecompress } from "node:zlib";
import { Language as Grammar, Parser } from "web-tree-sitter";
import { builtFile } from "../files/built-file.js";
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
  // V8 would optimise its hot parts meanwhile: for this one that takes 8 s of CPU, and the process cannot exit before.
  if (language === "swift") setFlagsFromString("--liftoff-only");
  return Grammar.load(bytes);
}

/**
 * The functions of the parser beneath its own classes: it puts them into the options that it is started with. A node goes in and
 * out as five numbers of `HEAP32`, at the address that `_ts_init` gives.
 */
export interface Binding {
  /** The memory of the parser; another one after it has grown. */
  readonly HEAP32: Int32Array;
  _ts_init(): number;
  _ts_tree_root_node_wasm(tree: number): void;
  /** Leaves how many there are, and the address of a list of nodes, which is to be freed. */
  _ts_node_children_wasm(tree: number): void;
  _ts_node_children_by_field_id_wasm(tree: number, field: number): void;
  _ts_node_child_by_field_id_wasm(tree: number, field: number): void;
  _ts_node_symbol_wasm(tree: number): number;
  _ts_node_end_index_wasm(tree: number): number;
  _ts_node_is_missing_wasm(tree: number): number;
  _free(address: number): void;
}

/** How many numbers a node is. */
export const NODE_NUMBERS = 5;

/** Where the functions are kept: at the parser's own class, which gives them once. A second copy of this module would be left without. */
const FUNCTIONS: unique symbol = Symbol.for("toolwright.parser");
const options: object = ((Parser as { [FUNCTIONS]?: object })[FUNCTIONS] ??= {});
let starting: Promise<Binding> | undefined;

/** Starts the parser, once. */
export function startParser(): Promise<Binding> {
  starting ??= Parser.init(options).then(parserBinding);
  return starting;
}

/** The parser, which was started. */
export const parserBinding = (): Binding => options as Binding;
