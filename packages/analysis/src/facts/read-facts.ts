import { type Language, parseSource, type SyntaxTree } from "@toolwright/kit/syntax";
import { ANALYZERS } from "../languages/analyzers.js";
import { OutlineWriter } from "../languages/outline-writer.js";
import { measure } from "../metrics/measure.js";
import { readCalls } from "./calls.js";
import type { Fact, Facts } from "./facts.js";
import { readNotes } from "./notes.js";
import { readTokens } from "./tokens.js";

const READERS: { readonly [Name in Fact]: (tree: SyntaxTree) => Facts[Name] } = {
  measures: measure,
  imports: (tree) => ANALYZERS[tree.language].imports(tree),
  outline: (tree) => new OutlineWriter(tree).read(ANALYZERS[tree.language].outline),
  calls: readCalls,
  notes: readNotes,
  tokens: readTokens,
};

/** Must be increased with every change of the results, so that nothing outdated is read from the cache. */
export const FACTS_VERSION = 5;

/** Parses a text once, and reads the wanted facts. */
export async function readFacts(
  language: Language,
  text: string,
  wanted: readonly Fact[],
  limitMs?: number,
): Promise<Partial<Facts>> {
  using tree = await parseSource(language, text, limitMs);
  return Object.fromEntries(wanted.map((fact) => [fact, READERS[fact](tree)]));
}
