import type { SyntaxTree } from "../../../syntax/parse.js";
import type { Declaration } from "./facts.js";

/** The outline of a file. */
export const readOutline = (_tree: SyntaxTree): readonly Declaration[] => [];
