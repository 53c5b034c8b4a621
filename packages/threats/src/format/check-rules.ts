import { nearest } from "@toolwright/kit/text";
import { checkExpression } from "./check-expression.js";
import { errorAt, type FieldDiagnostic, type FieldPath, warningAt } from "./diagnostics.js";
import { CATEGORIES, type CodeExample, type ThreatPattern } from "./pattern.js";
import { lengthOf } from "./pattern-schema.js";

/** A rule that the schema cannot express. Paths are relative to the pattern. */
type Rule = (pattern: ThreatPattern) => readonly FieldDiagnostic[];

/** Checks a pattern that matches the schema. */
export function checkRules(pattern: ThreatPattern): readonly FieldDiagnostic[] {
  return RULES.flatMap((rule) => rule(pattern)).map((diagnostic) => ({
    ...diagnostic,
    path: ["threat_pattern", ...diagnostic.path],
  }));
}

const MAX_SUMMARY = 400;
const MAX_NAME = 80;
/** Words of nearly every task, which do not identify a pattern. */
const COMMON = new Set([
  "id",
  "ids",
  "all",
  "load",
  "data",
  "user",
  "users",
  "app",
  "code",
  "file",
  "list",
  "get",
  "set",
]);

const idNamesCategory: Rule = ({ id, category }) => {
  const named = id.split("-")[1]?.toLowerCase() ?? "";
  if (named === category) return [];
  return [
    warningAt(
      ["category"],
      `is ${category}, but the id ${id} says ${named}.`,
      "Make them agree: lists and filters use the category.",
    ),
  ];
};

const categoryIsKnown: Rule = ({ category }) => {
  const known: readonly string[] = CATEGORIES;
  if (known.includes(category)) return [];
  const meant = nearest(category, known);
  return [
    warningAt(
      ["category"],
      `is not a built-in family: ${known.join(", ")}.`,
      meant === undefined ? "Keep it if it is a family of your own." : `Did you mean ${meant}?`,
    ),
  ];
};

const nameIsShort: Rule = ({ name }) =>
  lengthOf(name) <= MAX_NAME
    ? []
    : [warningAt(["name"], `is longer than ${MAX_NAME} characters.`, "Move the rest to the description.")];

const summaryIsShort: Rule = ({ agent_summary: { threat, check, fix } }) => {
  const length = lengthOf(threat + check + fix);
  if (length <= MAX_SUMMARY) return [];
  const message = `has ${length} characters; above ${MAX_SUMMARY} it leaves less room for other patterns.`;
  return [warningAt(["agent_summary"], message, "Shorten threat, check and fix.")];
};

const keywordsTell: Rule = ({ triggers: { keywords = [] } = {} }) => {
  const path: FieldPath = ["triggers", "keywords"];
  if (keywords.length === 0)
    return [
      warningAt(["triggers"], "has no keywords: hardly any query will find the pattern.", "Add six or more keywords."),
    ];
  return keywords.flatMap((keyword, at): FieldDiagnostic[] => {
    const folded = keyword.toLowerCase();
    if (COMMON.has(folded))
      return [
        warningAt([...path, at], `${keyword} occurs in nearly every task.`, "Use a phrase instead, or remove it."),
      ];
    if (keywords.findIndex((other) => other.toLowerCase() === folded) < at)
      return [warningAt([...path, at], `${keyword} is a duplicate.`, "Remove one of them.")];
    return [];
  });
};

const mitigationsHaveTheirOwnIds: Rule = ({ mitigations }) =>
  mitigations.flatMap(({ id }, at) =>
    mitigations.findIndex((other) => other.id === id) === at
      ? []
      : [errorAt(["mitigations", at, "id"], `${id} is also the id of an earlier mitigation.`, "Use another id.")],
  );

const stepsAreInOrder: Rule = ({ attack_scenario: { attack_steps: steps = [] } = { narrative: "" } }) => {
  const at = steps.findIndex(({ step }, index) => step !== index + 1);
  if (at === -1) return [];
  const path = ["attack_scenario", "attack_steps", at, "step"];
  return [
    warningAt(path, `is ${steps[at]?.step}, but is entry ${at + 1} of the list.`, "Number the steps in order, from 1."),
  ];
};

const relatedAreOthers: Rule = ({ id, related_patterns: related = [] }) =>
  related.flatMap((other, at): FieldDiagnostic[] => {
    const path = ["related_patterns", at, "id"];
    if (other.id === id) return [errorAt(path, "is the pattern itself.", "Name another pattern, or remove it.")];
    return related.findIndex(({ id: earlier }) => earlier === other.id) === at
      ? []
      : [warningAt(path, `${other.id} is a duplicate.`, "Remove one of them.")];
  });

const expressionsAreSafe: Rule = ({ testing: { automated_checks: checks = [] } = {} }) =>
  checks.flatMap((check, at) =>
    (["pattern", "expectation"] as const).flatMap((part) => {
      const source = check[part];
      const diagnostic = check.type === "code" && source !== undefined ? checkExpression(source) : undefined;
      return diagnostic === undefined
        ? []
        : [errorAt(["testing", "automated_checks", at, part], diagnostic.message, diagnostic.suggestion)];
    }),
  );

const languagesAreKnown: Rule = ({ mitigations }) =>
  examplesOf(mitigations).flatMap(({ path, example: { language, framework = "any" } }) => {
    const frameworks = CODE_LANGUAGES[language];
    if (frameworks === undefined) return suggestKnown([...path, "language"], language, Object.keys(CODE_LANGUAGES));
    return framework === "any" || frameworks.includes(framework)
      ? []
      : suggestKnown([...path, "framework"], framework, [...frameworks, "any"]);
  });

/** A value that resembles a known one is a typing error; any other is a choice. */
function suggestKnown(path: FieldPath, found: string, known: readonly string[]): readonly FieldDiagnostic[] {
  const meant = nearest(found, known);
  return meant === undefined
    ? []
    : [warningAt(path, `${found} is not among ${known.join(", ")}.`, `Did you mean ${meant}?`)];
}

const pairsAreWhole: Rule = ({ mitigations }) =>
  examplesOf(mitigations).flatMap(({ path, example }): FieldDiagnostic[] => {
    if (example.vulnerable_code === undefined)
      return [warningAt(path, "has no vulnerable_code.", "Add the vulnerable version.")];
    return example.vulnerable_code.trim() === example.secure_code.trim()
      ? [errorAt([...path, "secure_code"], "is the same as vulnerable_code.", "Show the difference.")]
      : [];
  });

/** Every code example with its path. */
function examplesOf(
  mitigations: ThreatPattern["mitigations"],
): readonly { readonly path: FieldPath; readonly example: CodeExample }[] {
  return mitigations.flatMap(({ code_examples = [] }, at) =>
    code_examples.map((example, index) => ({ path: ["mitigations", at, "code_examples", index], example })),
  );
}

const RULES: readonly Rule[] = [
  idNamesCategory,
  categoryIsKnown,
  nameIsShort,
  summaryIsShort,
  keywordsTell,
  mitigationsHaveTheirOwnIds,
  stepsAreInOrder,
  relatedAreOthers,
  expressionsAreSafe,
  languagesAreKnown,
  pairsAreWhole,
];

/** The languages of code examples that the built-in patterns use, and their frameworks; users may have others. */
const CODE_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  python: ["flask", "django", "fastapi", "celery", "mcp"],
  typescript: ["express", "nestjs", "next", "bullmq", "mcp"],
  go: ["net-http", "gin", "asynq"],
  java: ["spring"],
  csharp: ["aspnet-core"],
  ruby: ["rails", "sidekiq"],
  php: ["laravel"],
  rust: ["axum"],
  dockerfile: ["docker"],
  terraform: ["aws"],
  "github-actions": ["actions"],
};

/** A recommended field. */
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

/** Warns about fields that the tier of a pattern should have. */
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
