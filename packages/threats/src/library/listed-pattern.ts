import type { AgentSummary, Category, Degree, Severity, ThreatPattern, Tier } from "../format/pattern.js";

/** What a pattern has code for. */
interface ListedCode {
  readonly language: string;
  readonly framework: string;
}

/** The texts that the words of a pattern are read from, beside its name and its summary. */
interface Wording {
  readonly description: string;
  readonly keywords: readonly string[];
  readonly actions: readonly string[];
}

/** The words of a pattern as ranking reads them: stems, those of a phrase in order. */
export interface PatternWords {
  readonly keywords: readonly (readonly string[])[];
  readonly actions: readonly (readonly string[])[];
  /** How much each stem says of the pattern. */
  readonly weights: Readonly<Record<string, number>>;
}

/** What is known of a pattern without reading it whole: enough to list, rank and answer. */
export interface ListedPattern {
  readonly id: string;
  readonly name: string;
  readonly tier: Tier;
  readonly category: Category;
  readonly subcategory?: string;
  readonly severity: Severity;
  readonly likelihood: Degree;
  readonly language: string;
  readonly framework: string;
  readonly generalizes_to: readonly string[];
  readonly file_patterns: readonly string[];
  readonly agent_summary: AgentSummary;
  readonly code: readonly ListedCode[];
  /** The build works them out, so that the first question need not wait; a user's pattern has its wording instead. */
  readonly words?: PatternWords;
  readonly wording?: Wording;
}

/** The part of a pattern that lists, ranking and short answers need. */
export function toListed(pattern: ThreatPattern): ListedPattern {
  const { id, name, tier, category, subcategory, severity, agent_summary, triggers = {} } = pattern;
  return {
    id,
    name,
    tier,
    category,
    ...(subcategory !== undefined && { subcategory }),
    severity,
    likelihood: pattern.likelihood ?? "medium",
    language: pattern.language ?? "any",
    framework: pattern.framework ?? "any",
    generalizes_to: pattern.generalizes_to ?? [],
    file_patterns: triggers.file_patterns ?? [],
    agent_summary,
    code: stacksOf(pattern),
    wording: {
      description: pattern.description,
      keywords: triggers.keywords ?? [],
      actions: triggers.actions ?? [],
    },
  };
}

function stacksOf({ mitigations }: ThreatPattern): readonly ListedCode[] {
  const stacks = new Map<string, ListedCode>();
  for (const { language, framework = "any" } of mitigations.flatMap(({ code_examples: examples = [] }) => examples))
    stacks.set(`${language}/${framework}`, { language, framework });
  return [...stacks.values()];
}
