export { startParser } from "./binding.js";
export { blankOut } from "./blank-out.js";
export { isHeader, LANGUAGES, type Language, languageOf, languageOfHeader } from "./languages.js";
export { ParseTimeout, parseSource, SyntaxTree } from "./parse.js";
export { SyntaxNode } from "./syntax-node.js";
