const TEXT = { type: "string" } as const;

/** A list of texts in a result. */
export const TEXTS = { type: "array", items: TEXT } as const;

/** Something that is wrong with a pattern, in a result. */
export const FAULT = {
  type: "object",
  properties: {
    file: TEXT,
    line: { type: "integer" },
    column: { type: "integer" },
    path: TEXT,
    severity: { enum: ["error", "warning"] },
    message: TEXT,
    next: TEXT,
  },
  required: ["file", "line", "column", "path", "severity", "message", "next"],
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
