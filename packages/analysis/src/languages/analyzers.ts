import type { Language, SyntaxTree } from "@toolwright/kit/syntax";
import type { Import } from "../facts/facts.js";
import type { MetricRules } from "../metrics/rules.js";
import { C, CPP } from "./c-family.js";
import { CSHARP } from "./csharp.js";
import { GO } from "./go.js";
import { JAVA } from "./java.js";
import { KOTLIN } from "./kotlin.js";
import type { Handlers } from "./outline-writer.js";
import { PHP } from "./php.js";
import { PYTHON } from "./python.js";
import { RUBY } from "./ruby.js";
import { RUST } from "./rust.js";
import { SWIFT } from "./swift.js";
import { TYPESCRIPT } from "./typescript.js";

/** What the analyses need to know of a language: one value for each, in a file of its own. */
export interface LanguageAnalyzer {
  /** How its syntax counts for complexity and Halstead. */
  readonly metrics: MetricRules;
  /** The declarations of a file, by the node types of the grammar. */
  readonly outline: Handlers;
  /** Reads what a file imports. */
  readonly imports: (tree: SyntaxTree) => readonly Import[];
  /** For each node type that is a call, the field with what is called; undefined = the first named child. */
  readonly calls: Readonly<Record<string, string | undefined>>;
}

/** The analyzer of each language. */
export const ANALYZERS: Readonly<Record<Language, LanguageAnalyzer>> = {
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  javascript: TYPESCRIPT,
  python: PYTHON,
  rust: RUST,
  go: GO,
  java: JAVA,
  c: C,
  cpp: CPP,
  csharp: CSHARP,
  kotlin: KOTLIN,
  php: PHP,
  ruby: RUBY,
  swift: SWIFT,
};
