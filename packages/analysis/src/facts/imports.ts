import type { Language, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "./facts.js";
import { readEcmascriptImports } from "./imports/ecmascript.js";
import { readIncludes, readRubyImports } from "./imports/files.js";
import { readGoImports } from "./imports/go.js";
import {
  readCsharpImports,
  readJavaImports,
  readKotlinImports,
  readPhpImports,
  readSwiftImports,
} from "./imports/named.js";
import { readPythonImports } from "./imports/python.js";
import { readRustImports } from "./imports/rust.js";
import type { ImportReader } from "./imports/visit.js";

const READERS: Readonly<Record<Language, ImportReader>> = {
  typescript: readEcmascriptImports,
  tsx: readEcmascriptImports,
  javascript: readEcmascriptImports,
  python: readPythonImports,
  rust: readRustImports,
  go: readGoImports,
  java: readJavaImports,
  kotlin: readKotlinImports,
  csharp: readCsharpImports,
  php: readPhpImports,
  swift: readSwiftImports,
  ruby: readRubyImports,
  c: readIncludes,
  cpp: readIncludes,
};

/** The imports of a file. */
export const readImports = (tree: SyntaxTree): readonly Import[] => READERS[tree.language](tree);
