import type { SyntaxTree } from "../../../syntax/parse.js";
import type { Note } from "./facts.js";

/** The notes of a file. */
export const readNotes = (_tree: SyntaxTree): readonly Note[] => [];
