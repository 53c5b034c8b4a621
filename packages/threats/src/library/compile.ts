import type { PatternFault } from "../format/fault.js";
import type { ThreatPattern } from "../format/pattern.js";
import { readPatternWords } from "../ranking/pattern-words.js";
import { type ListedPattern, toListed } from "./compiled.js";
import { findStrangers, readFolder } from "./read-folder.js";

export { toFaultLine } from "../format/fault.js";

/** The corpus as the program reads it, and what is wrong with its files. */
export interface CompiledCorpus {
  /** What lists and ranking read, in the order of the ids. */
  readonly index: readonly ListedPattern[];
  readonly patterns: readonly ThreatPattern[];
  readonly faults: readonly PatternFault[];
}

/** Makes of a folder of patterns what is read at run time. A file with an error is left out. */
export async function compileCorpus(folder: string, shown: string): Promise<CompiledCorpus> {
  const { patterns: found, faults } = await readFolder(folder, shown);
  const patterns = found.map(({ pattern }) => pattern).sort((a, b) => (a.id < b.id ? -1 : 1));
  const strangers = findStrangers(found, new Set(patterns.map(({ id }) => id)));
  return { index: patterns.map(toListed).map(withWords), patterns, faults: [...faults, ...strangers] };
}

/** Whoever has the words has no use for what they were read from. */
function withWords(listed: ListedPattern): ListedPattern {
  const { wording: _wording, ...rest } = listed;
  return { ...rest, words: readPatternWords(listed) };
}
