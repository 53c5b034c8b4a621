import type { Severity, ThreatPattern } from "../format/pattern.js";
import type { Entry, Library } from "../library/library.js";
import type { SourceLanguage } from "./source-language.js";

/** A check of a pattern that can be looked for in sources. */
export interface CodeCheck {
  readonly pattern: ReviewedPattern;
  /** What is wrong where it is found, in words. */
  readonly description: string;
  readonly languages: readonly string[] | undefined;
  /** The line that does the risky thing. */
  readonly risk: string;
  /** What should be seen near it; without one the line itself is the fault. */
  readonly expectation: string | undefined;
}

/** What is said of a pattern that was found. */
export interface ReviewedPattern {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly severity: Severity;
  readonly check: string;
  readonly fix: string;
  readonly cwe: readonly string[];
}

const known = new WeakMap<ReadonlyMap<string, Entry>, readonly CodeCheck[]>();

/** The checks of all patterns, read once for as long as the patterns stay the same. */
export async function checksOf(library: Library): Promise<readonly CodeCheck[]> {
  const entries = await library.entries();
  const checks = known.get(entries) ?? (await library.readAll()).flatMap(checksIn);
  known.set(entries, checks);
  return checks;
}

/** Whether a check holds in a language. */
export const appliesTo = ({ languages }: CodeCheck, { names }: SourceLanguage): boolean =>
  languages === undefined || languages.some((language) => names.includes(language));

/** The checks of one pattern. */
export function checksIn(pattern: ThreatPattern): readonly CodeCheck[] {
  const { id, name, category, severity, agent_summary: summary, provenance, testing } = pattern;
  const cwe = (provenance?.public_references ?? []).flatMap((reference) =>
    reference.cwe === undefined ? [] : [reference.cwe],
  );
  const reviewed: ReviewedPattern = { id, name, category, severity, check: summary.check, fix: summary.fix, cwe };
  return (testing?.automated_checks ?? []).flatMap(({ type, description, languages, pattern: risk, expectation }) =>
    type === "code" && risk !== undefined ? [{ pattern: reviewed, description, languages, risk, expectation }] : [],
  );
}
