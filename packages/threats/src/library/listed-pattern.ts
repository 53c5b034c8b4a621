import type { AgentSummary, Category, Degree, Severity, ThreatPattern, Tier } from "../format/pattern.js";

/** A stack for which a pattern has code. */
interface ListedCode {
  readonly language: string;
  readonly framework: string;
}

/** The texts of a pattern that are indexed, in addition to its name and summary. */
interface Wording {
  readonly description: string;
  readonly keywords: readonly string[];
  readonly actions: readonly string[];
}

/** The stems of a pattern; those of a phrase are in order. */
export interface PatternWords {
  readonly keywords: readonly (readonly string[])[];
  readonly actions: readonly (readonly string[])[];
  /** The weight of each stem. */
  readonly weights: Readonly<Record<string, number>>;
}

/** The part of a pattern that lists, ranking and short answers need. */
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
  /** Computed by the build; patterns of users have `wording` instead. */
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
