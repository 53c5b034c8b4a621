import type { PatternDiagnostic } from "../format/diagnostics.js";
import type { Entry } from "../library/library.js";

const TEXT = { type: "string" } as const;

/** A list of texts, in the output of a tool. */
export const TEXTS = { type: "array", items: TEXT } as const;

/** A problem in a pattern, in the output of a tool. */
export const DIAGNOSTIC = {
  type: "object",
  properties: {
    file: TEXT,
    line: { type: "integer" },
    column: { type: "integer" },
    path: TEXT,
    severity: { enum: ["error", "warning"] },
    message: TEXT,
    suggestion: TEXT,
  },
  required: ["file", "line", "column", "path", "severity", "message", "suggestion"],
} as const;

/** A pattern in a list, in the output of a tool. */
export const LISTED = {
  type: "object",
  properties: {
    id: TEXT,
    name: TEXT,
    severity: TEXT,
    likelihood: TEXT,
    tier: TEXT,
    category: TEXT,
    languages: TEXTS,
    origin: { enum: ["built-in", "user"] },
    file: TEXT,
    replaces_built_in: { type: "boolean" },
  },
  required: ["id", "name", "severity", "likelihood", "tier", "category", "languages", "origin"],
} as const;

/** The part of a pattern that lists contain. */
export function toListItem({ id, name, severity, likelihood, tier, category, code, origin, file, replaces }: Entry) {
  return {
    id,
    name,
    severity,
    likelihood,
    tier,
    category,
    languages: [...new Set(code.map(({ language }) => language))],
    origin,
    ...(file !== undefined && { file }),
    ...(replaces === true && { replaces_built_in: true }),
  };
}

/** Counts errors and warnings. */
export const countDiagnostics = (diagnostics: readonly PatternDiagnostic[]) => {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
};

/** The code to review, in the input of a tool. */
export const REVIEW_INPUT = {
  diff: { type: "string", maxLength: 10_000_000, description: "Unified diff, such as the output of git diff." },
  files: { type: "array", items: { type: "string" }, description: "Files or folders." },
} as const;
