import { examplesOf } from "./check-rules.js";
import { type FieldDiagnostic, type FieldPath, warningAt } from "./diagnostics.js";
import type { ThreatPattern } from "./pattern.js";

/** A part that should be there. */
interface Recommended {
  readonly path: FieldPath;
  readonly isThere: (pattern: ThreatPattern) => boolean;
  readonly suggestion: string;
}

const filled = (items: readonly unknown[] | undefined): boolean => items !== undefined && items.length > 0;

const FOR_ALL: readonly Recommended[] = [
  {
    path: ["likelihood"],
    isThere: ({ likelihood }) => likelihood !== undefined,
    suggestion: "Say high, medium or low.",
  },
  { path: ["version"], isThere: ({ version }) => version !== undefined, suggestion: "Begin with 1.0.0." },
  {
    path: ["last_updated"],
    isThere: (pattern) => pattern.last_updated !== undefined,
    suggestion: "Write the day of the last change.",
  },
  {
    path: ["provenance", "source_type"],
    isThere: ({ provenance }) => provenance?.source_type !== undefined,
    suggestion: "Say where the knowledge is from.",
  },
  {
    path: ["testing", "queries", "finds"],
    isThere: ({ testing }) => (testing?.queries?.finds?.length ?? 0) >= 3,
    suggestion: "Write three questions that must find the pattern.",
  },
  {
    path: ["testing", "queries", "ignores"],
    isThere: ({ testing }) => (testing?.queries?.ignores?.length ?? 0) >= 2,
    suggestion: "Write two questions that sound alike and must not find it.",
  },
];

const FOR_A: readonly Recommended[] = [
  {
    path: ["generalizes_to"],
    isThere: (pattern) => filled(pattern.generalizes_to),
    suggestion: "Name the other stacks that have it.",
  },
  {
    path: ["attack_scenario", "preconditions"],
    isThere: ({ attack_scenario: scenario }) => filled(scenario?.preconditions),
    suggestion: "Say what must be so before it works.",
  },
  {
    path: ["attack_scenario", "attack_steps"],
    isThere: ({ attack_scenario: scenario }) => filled(scenario?.attack_steps),
    suggestion: "Write down 3 to 6 steps.",
  },
  {
    path: ["attack_scenario", "impact"],
    isThere: ({ attack_scenario: scenario }) => scenario?.impact !== undefined,
    suggestion: "Say what an attack costs.",
  },
  {
    path: ["security_principles"],
    isThere: (pattern) => filled(pattern.security_principles),
    suggestion: "Name the rule behind the fix.",
  },
  {
    path: ["testing", "manual_verification"],
    isThere: ({ testing }) => filled(testing?.manual_verification),
    suggestion: "Say how a person sees whether it is there.",
  },
  {
    path: ["testing", "automated_checks"],
    isThere: ({ testing }) => filled(testing?.automated_checks),
    suggestion: "Say what a review can look for in sources.",
  },
  {
    path: ["validation", "baseline_test"],
    isThere: ({ validation }) => validation?.baseline_test !== undefined,
    suggestion: "Write down what a model is asked, and what it is thought to miss.",
  },
];

/** Advice on what the tier of a pattern should have. */
export function checkTier(pattern: ThreatPattern): readonly FieldDiagnostic[] {
  const wanted = pattern.tier === "A" ? [...FOR_ALL, ...FOR_A] : FOR_ALL;
  const missingFields = wanted
    .filter(({ isThere }) => !isThere(pattern))
    .map(({ path, suggestion }) => ({
      ...warningAt(
        ["threat_pattern", ...path],
        `is recommended in tier ${pattern.tier}, and has too little or is missing.`,
        suggestion,
      ),
      isOfKey: true,
    }));
  return [...missingFields, ...checkLanguages(pattern)];
}

function checkLanguages({ tier, mitigations }: ThreatPattern): readonly FieldDiagnostic[] {
  const paired = examplesOf(mitigations).filter(({ example }) => example.vulnerable_code !== undefined);
  const languages = new Set(paired.map(({ example }) => example.language));
  const least = tier === "A" ? 3 : 1;
  if (languages.size >= least) return [];
  const found = languages.size === 0 ? "none" : [...languages].join(", ");
  return [
    warningAt(
      ["threat_pattern", "mitigations"],
      `has code in fewer languages than tier ${tier} should have: ${least} wanted, found ${found}.`,
      "Add code_examples with vulnerable_code and secure_code.",
    ),
  ];
}
