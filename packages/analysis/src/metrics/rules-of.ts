import type { Language } from "@toolwright/kit/syntax";
import { C } from "./languages/c.js";
import { CPP } from "./languages/cpp.js";
import { CSHARP } from "./languages/csharp.js";
import { GO } from "./languages/go.js";
import { JAVA } from "./languages/java.js";
import { KOTLIN } from "./languages/kotlin.js";
import { PHP } from "./languages/php.js";
import { PYTHON } from "./languages/python.js";
import { RUBY } from "./languages/ruby.js";
import { RUST } from "./languages/rust.js";
import { SWIFT } from "./languages/swift.js";
import { TYPESCRIPT } from "./languages/typescript.js";
import type { Rules } from "./rules.js";

/** The rules of each language. */
export const RULES: Readonly<Record<Language, Rules>> = {
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
