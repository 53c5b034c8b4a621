import type { AttackScenario, Mitigation, ThreatPattern } from "../format/pattern.js";
import type { BriefPattern } from "./agent-answer.js";
import { counted, NOTHING_FOUND, SHORTENED, shortenToFit } from "./token-budget.js";

/** A pattern in full, for a reviewer. */
interface VerbosePattern extends BriefPattern {
  readonly name: string;
  readonly tier?: string;
  readonly category?: string;
  readonly likelihood?: string;
  readonly description?: string;
  readonly attack_scenario?: AttackScenario;
  readonly mitigations?: readonly Mitigation[];
  readonly related_patterns?: readonly string[];
  readonly cwe?: readonly string[];
  readonly owasp?: readonly string[];
  readonly asvs?: readonly string[];
}

/** The answer to a person. */
export interface HumanAnswer {
  readonly pattern_count: number;
  readonly patterns_included: number;
  readonly token_count: number;
  readonly token_limit_reached: boolean;
  readonly verbose_patterns: readonly VerbosePattern[];
  readonly left_out?: readonly string[];
  readonly note?: string;
}

/** The parts of an answer. */
export interface HumanParts {
  /** The number of relevant patterns. */
  readonly count: number;
  /** Those to tell of, best first. */
  readonly patterns: readonly ThreatPattern[];
  /** None where the question gave none: people are told everything. */
  readonly budget: number | undefined;
}

/** Tells of the patterns in full; where there is a budget, of as many as fit, and of the first in any case. */
export function toHumanAnswer({ count, patterns, budget = Number.POSITIVE_INFINITY }: HumanParts): HumanAnswer {
  const [first] = patterns;
  if (first === undefined) return compose({ count: 0, patterns: [], leftOut: [], note: NOTHING_FOUND });
  const write = (shown: readonly VerbosePattern[]): HumanAnswer =>
    compose({ count, patterns: shown, leftOut: patterns.slice(shown.length).map(({ id }) => id) });
  let answer = write(patterns.map(verbose));
  for (let size = patterns.length - 1; size > 0 && answer.token_count > budget; size--) {
    answer = write(patterns.slice(0, size).map(verbose));
  }
  return answer.token_count <= budget ? answer : shortened(first, count, budget);
}

/** The first pattern with less and less of it, until what is left fits. */
function shortened(first: ThreatPattern, count: number, budget: number): HumanAnswer {
  const write = (pattern: VerbosePattern): HumanAnswer =>
    compose({ count, patterns: [pattern], leftOut: [], note: SHORTENED });
  const whole = verbose(first);
  const { attack_scenario: _scenario, ...withoutScenario } = withoutCode(whole);
  const { id, name, severity, threat, check, fix } = whole;
  const brief = { id, name, severity, threat, check, fix };
  const found = [withoutCode(whole), withoutScenario, brief]
    .map(write)
    .find(({ token_count: tokens }) => tokens <= budget);
  if (found !== undefined) return found;
  return shortenToFit(Math.max(threat.length, check.length, fix.length), budget, (cut) =>
    write({ ...brief, name: cut(name), threat: cut(threat), check: cut(check), fix: cut(fix) }),
  );
}

const withoutCode = (pattern: VerbosePattern): VerbosePattern => ({
  ...pattern,
  mitigations: (pattern.mitigations ?? []).map(({ code_examples: _code, ...mitigation }) => mitigation),
});

interface Composed {
  readonly count: number;
  readonly patterns: readonly VerbosePattern[];
  readonly leftOut: readonly string[];
  readonly note?: string;
}

const compose = ({ count, patterns, leftOut, note }: Composed): HumanAnswer =>
  counted({
    pattern_count: count,
    patterns_included: patterns.length,
    token_count: 0,
    token_limit_reached: leftOut.length > 0 || note === SHORTENED,
    verbose_patterns: patterns,
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(note !== undefined && { note }),
  });

function verbose(pattern: ThreatPattern): VerbosePattern {
  const { id, name, tier, category, severity, likelihood, description, attack_scenario, mitigations } = pattern;
  const { public_references: references = [] } = pattern.provenance ?? {};
  const idsOf = (list: "cwe" | "owasp" | "asvs"): readonly string[] =>
    references.flatMap(({ [list]: each }) => (each === undefined ? [] : [each]));
  return {
    id,
    name,
    severity,
    ...(likelihood !== undefined && { likelihood }),
    tier,
    category,
    ...pattern.agent_summary,
    description,
    ...(attack_scenario !== undefined && { attack_scenario }),
    mitigations,
    related_patterns: (pattern.related_patterns ?? []).map((related) => related.id),
    cwe: idsOf("cwe"),
    owasp: idsOf("owasp"),
    asvs: idsOf("asvs"),
  };
}
