export { startParser } from "./grammars.js";
export { blankOut, isHeader, LANGUAGES, type Language, languageOf, languageOfHeader } from "./languages.js";
export { ParseTimeout, parseSource, SyntaxTree } from "./parse.js";
export { SyntaxNode } from "./syntax-node.js";
