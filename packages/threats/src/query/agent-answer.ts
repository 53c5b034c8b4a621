import { type CodeExample, DEGREES, type Mitigation, type Severity } from "../format/pattern.js";
import type { ListedPattern } from "../library/listed-pattern.js";
import { ANY, nearbyLanguages, type Stack } from "./stack.js";
import { counted, NOTHING_FOUND, SHORTENED, shortenToFit } from "./token-budget.js";

/** A pattern in short. */
export interface BriefPattern {
  readonly id: string;
  readonly severity: Severity;
  readonly threat: string;
  readonly check: string;
  readonly fix: string;
}

/** The answer to an agent. */
export interface AgentAnswer {
  /** The number of relevant patterns. */
  readonly pattern_count: number;
  readonly patterns_included: number;
  /** The size of this answer, including this number. */
  readonly token_count: number;
  /** Whether something was omitted or shortened to fit the budget. */
  readonly token_limit_reached: boolean;
  readonly patterns: readonly BriefPattern[];
  readonly code_pattern?: CodePattern;
  /** The relevant patterns that did not fit. */
  readonly left_out?: readonly string[];
  readonly note?: string;
}

/** The parts of an answer. */
export interface AgentParts {
  /** The relevant patterns, best first. */
  readonly found: readonly ListedPattern[];
  /** What helps against the first of them. */
  readonly mitigations: readonly Mitigation[];
  /** How many of them to tell of. */
  readonly limit: number;
  readonly budget: number;
  readonly stack: Stack;
}

/**
 * Tells of the patterns within the budget: the first one, then its code, then the next ones, each where it fits. The first is always
 * told, in fewer words where it must be.
 */
export function toAgentAnswer({ found, mitigations, limit, budget, stack }: AgentParts): AgentAnswer {
  const wanted = found.slice(0, limit);
  const [first, ...others] = wanted;
  if (first === undefined) return compose({ count: 0, patterns: [], isCut: false, note: NOTHING_FOUND });
  const write = (patterns: readonly BriefPattern[], code: CodePattern | undefined): AgentAnswer => {
    const leftOut = wanted.slice(patterns.length).map(({ id }) => id);
    const isCut = leftOut.length > 0 || (code === undefined && first.code.length > 0);
    return compose({ count: found.length, patterns, code, leftOut, isCut });
  };
  const fits = (answer: AgentAnswer): boolean => answer.token_count <= budget;
  let patterns: readonly BriefPattern[] = [brief(first)];
  if (!fits(write(patterns, undefined))) return shortened(first, found.length, budget);
  const code = chooseCode(mitigations, stack).find((each) => fits(write(patterns, each)));
  for (const other of others) {
    const more = [...patterns, brief(other)];
    if (!fits(write(more, code))) break;
    patterns = more;
  }
  return write(patterns, code);
}

/** The first pattern alone, its three texts cut at one length. */
function shortened(first: ListedPattern, count: number, budget: number): AgentAnswer {
  const whole = brief(first);
  const { threat, check, fix } = whole;
  return shortenToFit(Math.max(threat.length, check.length, fix.length), budget, (cut) => {
    const pattern = { ...whole, threat: cut(threat), check: cut(check), fix: cut(fix) };
    return compose({ count, patterns: [pattern], isCut: true, note: SHORTENED });
  });
}

interface Composed {
  readonly count: number;
  readonly patterns: readonly BriefPattern[];
  readonly code?: CodePattern | undefined;
  readonly leftOut?: readonly string[];
  readonly isCut: boolean;
  readonly note?: string;
}

const compose = ({ count, patterns, code, leftOut = [], isCut, note }: Composed): AgentAnswer =>
  counted({
    pattern_count: count,
    patterns_included: patterns.length,
    token_count: 0,
    token_limit_reached: isCut,
    patterns,
    ...(code !== undefined && { code_pattern: code }),
    ...(leftOut.length > 0 && { left_out: leftOut }),
    ...(note !== undefined && { note }),
  });

const brief = ({ id, severity, agent_summary: { threat, check, fix } }: ListedPattern): BriefPattern => ({
  id,
  severity,
  threat,
  check,
  fix,
});

/** How to do it right, as an agent is shown it. */
interface CodePattern {
  readonly language: string;
  readonly framework: string;
  readonly secure_template: string;
  /** Said where it is not in what was asked for. */
  readonly note?: string;
}

/** The examples among mitigations that serve somebody best, those of the most effective one first. All are in one language. */
function chooseCode(mitigations: readonly Mitigation[], stack: Stack): readonly CodePattern[] {
  const { language, framework } = stack;
  const code = [...mitigations].sort(compareEffect).flatMap(({ code_examples: examples = [] }) => examples);
  const wanted = language === undefined ? [] : nearbyLanguages(language);
  const found = wanted.find((near) => code.some((each) => each.language === near)) ?? code[0]?.language;
  const inLanguage = code.filter((each) => each.language === found);
  const exact = inLanguage.filter((each) => frameworkOf(each) === framework);
  const general = framework === undefined ? [] : inLanguage.filter((each) => frameworkOf(each) === ANY);
  const best = new Set([...exact, ...general, ...inLanguage]);
  return [...best].map((each) => shown(each, stack));
}

const degreeOf = ({ effectiveness = "medium" }: Mitigation): number => DEGREES.indexOf(effectiveness);
const compareEffect = (a: Mitigation, b: Mitigation): number => degreeOf(a) - degreeOf(b);

const frameworkOf = ({ framework = ANY }: CodeExample): string => framework;

function shown(code: CodeExample, stack: Stack): CodePattern {
  const note = noteFor(code, stack);
  return {
    language: code.language,
    framework: frameworkOf(code),
    secure_template: code.secure_code.trimEnd(),
    ...(note !== undefined && { note }),
  };
}

function noteFor(code: CodeExample, { language, framework }: Stack): string | undefined {
  if (language !== undefined && language !== code.language)
    return `No example in ${language}; this one is in ${code.language}.`;
  const own = frameworkOf(code);
  if (framework === undefined || own === framework || own === ANY) return undefined;
  return `No example for ${framework}; this one is for ${own}.`;
}
