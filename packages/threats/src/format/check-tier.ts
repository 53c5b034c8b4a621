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
    suggestion: "Set high, medium or low.",
  },
  { path: ["version"], isThere: ({ version }) => version !== undefined, suggestion: "Start with 1.0.0." },
  {
    path: ["last_updated"],
    isThere: (pattern) => pattern.last_updated !== undefined,
    suggestion: "Set the date of the last change.",
  },
  {
    path: ["provenance", "source_type"],
    isThere: ({ provenance }) => provenance?.source_type !== undefined,
    suggestion: "Name the kind of source.",
  },
  {
    path: ["testing", "queries", "finds"],
    isThere: ({ testing }) => (testing?.queries?.finds?.length ?? 0) >= 3,
    suggestion: "Add three queries that must find the pattern.",
  },
  {
    path: ["testing", "queries", "ignores"],
    isThere: ({ testing }) => (testing?.queries?.ignores?.length ?? 0) >= 2,
    suggestion: "Add two similar queries that must not find it.",
  },
];

const FOR_A: readonly Recommended[] = [
  {
    path: ["generalizes_to"],
    isThere: (pattern) => filled(pattern.generalizes_to),
    suggestion: "Name the other stacks that are affected.",
  },
  {
    path: ["attack_scenario", "preconditions"],
    isThere: ({ attack_scenario: scenario }) => filled(scenario?.preconditions),
    suggestion: "Describe the preconditions.",
  },
  {
    path: ["attack_scenario", "attack_steps"],
    isThere: ({ attack_scenario: scenario }) => filled(scenario?.attack_steps),
    suggestion: "Describe 3 to 6 steps.",
  },
  {
    path: ["attack_scenario", "impact"],
    isThere: ({ attack_scenario: scenario }) => scenario?.impact !== undefined,
    suggestion: "Describe the impact.",
  },
  {
    path: ["security_principles"],
    isThere: (pattern) => filled(pattern.security_principles),
    suggestion: "Name the principle behind the fix.",
  },
  {
    path: ["testing", "manual_verification"],
    isThere: ({ testing }) => filled(testing?.manual_verification),
    suggestion: "Describe how a person verifies it.",
  },
  {
    path: ["testing", "automated_checks"],
    isThere: ({ testing }) => filled(testing?.automated_checks),
    suggestion: "Describe what a review can search for in source code.",
  },
  {
    path: ["validation", "baseline_test"],
    isThere: ({ validation }) => validation?.baseline_test !== undefined,
    suggestion: "Add the prompt for a model, and what it is expected to miss.",
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
        `is recommended in tier ${pattern.tier}, but missing or incomplete.`,
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
      `has code in too few languages for tier ${tier}: expected ${least}, found ${found}.`,
      "Add code_examples with vulnerable_code and secure_code.",
    ),
  ];
}
