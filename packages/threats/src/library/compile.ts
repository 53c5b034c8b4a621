import type { PatternDiagnostic } from "../format/diagnostics.js";
import type { ThreatPattern } from "../format/pattern.js";
import { readPatternWords } from "../ranking/score.js";
import { type ListedPattern, toListed } from "./listed-pattern.js";
import { findUnknownRelations, readFolder } from "./read-folder.js";

export { formatDiagnostic } from "../format/diagnostics.js";

/** The corpus as the program reads it, and what is wrong with its files. */
export interface CompiledCorpus {
  /** What lists and ranking read, in the order of the ids. */
  readonly index: readonly ListedPattern[];
  readonly patterns: readonly ThreatPattern[];
  readonly diagnostics: readonly PatternDiagnostic[];
}

/** Makes of a folder of patterns what is read at run time. A file with an error is left out. */
export async function compileCorpus(folder: string, displayName: string): Promise<CompiledCorpus> {
  const { patterns: found, diagnostics } = await readFolder(folder, displayName);
  const patterns = found.map(({ pattern }) => pattern).sort((a, b) => (a.id < b.id ? -1 : 1));
  const unknownRelations = findUnknownRelations(found, new Set(patterns.map(({ id }) => id)));
  return { index: patterns.map(toListed).map(withWords), patterns, diagnostics: [...diagnostics, ...unknownRelations] };
}

/** Whoever has the words has no use for what they were read from. */
function withWords(listed: ListedPattern): ListedPattern {
  const { wording: _wording, ...rest } = listed;
  return { ...rest, words: readPatternWords(listed) };
}
