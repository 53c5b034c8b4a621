import type { PatternDiagnostic } from "../format/diagnostics.js";
import type { Entry } from "../library/library.js";

const TEXT = { type: "string" } as const;

/** A list of texts in a result. */
export const TEXTS = { type: "array", items: TEXT } as const;

/** Something that is wrong with a pattern, in a result. */
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

/** A pattern in a list. */
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

/** How many bytes of JSON a result has at most; the rest is for another call. */
const ROOM = 40_000;

/** A pattern as lists show it. */
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

/** As many of the values as there is room for, but one at least. */
export function fitting<Value>(values: readonly Value[], room = ROOM): readonly Value[] {
  let used = 0;
  const at = values.findIndex((value) => {
    used += Buffer.byteLength(JSON.stringify(value)) + 1;
    return used > room;
  });
  return at === -1 ? values : values.slice(0, Math.max(1, at));
}

/** How many faults of each kind there are. */
export const countDiagnostics = (diagnostics: readonly PatternDiagnostic[]) => {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
};

/** The code that tools look at. */
export const REVIEW_INPUT = {
  diff: { type: "string", maxLength: 2_000_000, description: "A unified difference" },
  files: { type: "array", maxItems: 200, items: { type: "string" }, description: "Files or folders" },
} as const;
