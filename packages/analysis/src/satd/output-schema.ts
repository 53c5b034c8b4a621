import { KINDS, SEVERITIES } from "./notes.js";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** A note in a result. */
export const NOTE = {
  type: "object",
  properties: {
    path: words,
    line: count,
    word: words,
    text: words,
    kind: { enum: KINDS },
    severity: { enum: SEVERITIES },
    is_test: { type: "boolean" },
    owner: words,
    author: words,
    date: words,
    age_days: count,
  },
  required: ["path", "line", "word", "text", "kind", "severity"],
} as const;
