import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { Desk } from "../desk.js";
import { TEXTS } from "./output-schemas.js";
import { REVIEW_INPUT } from "./review-input.js";

const TEXT = { type: "string" } as const;
const COUNT = { type: "integer" } as const;

const FINDING = {
  type: "object",
  properties: {
    file: TEXT,
    line: COUNT,
    text: TEXT,
    function: TEXT,
    missing: TEXT,
    confidence: { enum: ["high", "medium", "low"] },
    context_cut: { type: "boolean" },
  },
  required: ["file", "line", "text", "missing", "confidence"],
} as const;

const FOUND = {
  type: "object",
  properties: {
    id: TEXT,
    name: TEXT,
    category: TEXT,
    severity: TEXT,
    check: TEXT,
    fix: TEXT,
    cwe: TEXTS,
    count: COUNT,
    findings: { type: "array", items: FINDING },
  },
  required: ["id", "name", "category", "severity", "check", "fix", "cwe", "count", "findings"],
} as const;

/** Says which checks are not visible in code. */
export const tmkbReview = ({ library, reach }: Desk) =>
  tool({
    name: "tmkb_review",
    title: "Review code for threats",
    description:
      "Reviews a difference, files or texts: which threats apply, and which check is not visible in the same function. A finding is a question, not a proof.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        ...REVIEW_INPUT,
        texts: {
          type: "array",
          maxItems: 50,
          items: {
            type: "object",
            properties: { path: { type: "string" }, text: { type: "string" } },
            required: ["path", "text"],
          },
          description: "Code in no file yet",
        },
        language: { type: "string" },
        category: { type: "string" },
        severity: { type: "string", description: "This and worse" },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 20 },
      },
    },
    output: {
      type: "object",
      properties: {
        files: COUNT,
        findings: COUNT,
        patterns: { type: "array", items: FOUND },
        left_out: {
          type: "array",
          items: {
            type: "object",
            properties: { id: TEXT, severity: TEXT, count: COUNT },
            required: ["id", "severity", "count"],
          },
        },
        consider: {
          type: "array",
          items: {
            type: "object",
            properties: { id: TEXT, name: TEXT, because: TEXT },
            required: ["id", "name", "because"],
          },
        },
        notes: TEXTS,
      },
      required: ["files", "findings", "patterns", "left_out", "consider", "notes"],
    },
    annotations: READS,
    async run({ limit, ...given }, call) {
      const [{ runReview }, { writeReview }] = await Promise.all([
        import("../review/run-review.js"),
        import("../review/write-review.js"),
      ]);
      const way = {
        limit,
        signal: call.signal,
        hear: (done: number, total: number) => call.progress(done, "Looking at files", total),
      };
      const { pieces: _pieces, ...found } = await runReview(library, given, way, () => reach(call));
      return new Content([text(writeReview(found))], found as object as JsonObject);
    },
  });
