import type { SyntaxTree } from "../../../syntax/parse.js";
import type { Import } from "./facts.js";

/** The imports of a file. */
export const readImports = (_tree: SyntaxTree): readonly Import[] => [];
