import type { SyntaxTree } from "../../../syntax/parse.js";
import type { CallSite } from "./facts.js";

/** The calls of a file. */
export const readCalls = (_tree: SyntaxTree): readonly CallSite[] => [];
