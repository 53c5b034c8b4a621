import type { JsonObject } from "@toolwright/engine";

const words = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const number = { type: "number", minimum: 0 } as const;

const list = (properties: JsonObject, required: string[]): JsonObject => ({
  type: "array",
  items: { type: "object", properties, required },
});

const SHARES = list({ name: words, share: number }, ["name", "share"]);

/** A file of the ranking in a result. */
export const HOTSPOT_FILE: JsonObject = {
  type: "object",
  properties: {
    path: words,
    language: words,
    lines: count,
    code_lines: count,
    functions: count,
    complexity: count,
    complexity_score: number,
    churn: number,
    commits: count,
    score: number,
    authors: SHARES,
    bus_factor: count,
    last_modified: words,
  },
  required: ["path", "language", "lines", "code_lines", "complexity", "churn", "commits", "score", "authors"],
};

/** The brief of a function in a result. */
export const BRIEF: JsonObject = {
  type: "object",
  properties: {
    path: words,
    function: words,
    line: count,
    end_line: count,
    cyclomatic: count,
    cognitive: count,
    nesting: count,
    parameters: count,
    weight: number,
    steps: list(
      {
        what: words,
        line: count,
        end_line: count,
        takes: count,
        becomes: count,
        leaves: count,
        jumps: { type: "array", items: words },
        advice: words,
      },
      ["what", "line", "end_line", "takes", "becomes", "leaves", "advice"],
    ),
    increments: list({ line: count, adds: count, reason: words }, ["line", "adds", "reason"]),
    reasons: list({ reason: words, times: count, adds: count }, ["reason", "times", "adds"]),
    callers: list({ caller: words, line: count }, ["caller", "line"]),
    authors: SHARES,
    last_change: words,
    recent_lines: count,
    coupled: list({ path: words, degree: number }, ["path", "degree"]),
    tests: list({ path: words, by: words }, ["path", "by"]),
  },
  required: ["path", "function", "line", "end_line", "cyclomatic", "cognitive", "steps", "increments"],
};
