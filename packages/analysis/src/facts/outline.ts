import type { Language, SyntaxTree } from "@toolwright/kit/syntax";
import type { Declaration } from "./facts.js";
import { C, CPP } from "./outline/languages/c.js";
import { CSHARP, JAVA, KOTLIN, PHP, SWIFT } from "./outline/languages/classes.js";
import { ECMASCRIPT } from "./outline/languages/ecmascript.js";
import { GO } from "./outline/languages/go.js";
import { PYTHON } from "./outline/languages/python.js";
import { RUBY } from "./outline/languages/ruby.js";
import { RUST } from "./outline/languages/rust.js";
import { type Handlers, OutlineWriter } from "./outline/outline-writer.js";

const HANDLERS: Readonly<Record<Language, Handlers>> = {
  typescript: ECMASCRIPT,
  tsx: ECMASCRIPT,
  javascript: ECMASCRIPT,
  python: PYTHON,
  rust: RUST,
  go: GO,
  java: JAVA,
  c: C,
  cpp: CPP,
  csharp: CSHARP,
  kotlin: KOTLIN,
  ruby: RUBY,
  php: PHP,
  swift: SWIFT,
};

/** The outline of a file. */
export const readOutline = (tree: SyntaxTree): readonly Declaration[] =>
  new OutlineWriter(tree).read(HANDLERS[tree.language]);
