import type { JsonObject } from "@toolwright/engine";
import { type SarifRule, toSarif as toSarifLog } from "@toolwright/kit/sarif";
import type { FoundViolation } from "./report.js";

const RULES: readonly SarifRule[] = [
  {
    id: "cyclomatic-complexity",
    name: "CyclomaticComplexity",
    shortDescription: "Cyclomatic complexity of a function is above its threshold.",
    fullDescription:
      "Counts the paths through a function (McCabe): one, and one more for each decision, such as if, a loop, a case, catch, ?: or a short-circuit operator. A function with many paths needs as many tests. Split it, or replace decisions by a table.",
    level: "warning",
    properties: { tags: ["maintainability"] },
  },
  {
    id: "cognitive-complexity",
    name: "CognitiveComplexity",
    shortDescription: "Cognitive complexity of a function is above its threshold.",
    fullDescription:
      "Counts what makes a function hard to read (SonarSource): each break in the flow, and more the deeper it is nested. Return early, extract inner blocks as functions, and simplify conditions.",
    level: "warning",
    properties: { tags: ["maintainability"] },
  },
];

/** Writes violations as SARIF 2.1.0. */
export const toSarif = (found: readonly FoundViolation[]): JsonObject =>
  toSarifLog({
    rules: RULES,
    results: found.map(({ violation, of }) => ({
      rule: violation.rule,
      level: violation.severity,
      message: violation.message,
      file: violation.file,
      line: violation.line,
      endLine: violation.end_line,
      function: { fullyQualifiedName: violation.function },
      fingerprint: {
        key: "function/v1",
        parts: [violation.rule, violation.file, violation.function, String(of.ordinal)],
      },
      ...(violation.baseline_state !== undefined && { baselineState: violation.baseline_state }),
      properties: { value: violation.value, threshold: violation.threshold },
    })),
  });
