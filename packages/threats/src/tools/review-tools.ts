import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import type { ThreatsContext } from "../threats-context.js";
import { REVIEW_INPUT, TEXTS } from "./results.js";

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
export const tmkbReview = ({ library, reach }: ThreatsContext) =>
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
        import("../review/run-review.js"),
      ]);
      const options = {
        limit,
        signal: call.signal,
        onProgress: (done: number, total: number) => call.progress(done, "Looking at files", total),
      };
      const { fragments: _pieces, ...found } = await runReview(library, given, options, () => reach(call));
      return new Content([text(writeReview(found))], found as object as JsonObject);
    },
  });

const CHECK = {
  type: "object",
  properties: {
    id: TEXT,
    category: TEXT,
    severity: TEXT,
    check: TEXT,
    places: TEXTS,
    count: { type: "integer" },
    visible: { type: "boolean" },
  },
  required: ["id", "category", "severity", "check", "places", "count", "visible"],
} as const;

/** Writes what to check in a pull request. */
export const tmkbChecklist = ({ library, reach }: ThreatsContext) =>
  tool({
    name: "tmkb_checklist",
    title: "Write a threat checklist",
    description: "Writes check boxes for a pull request: what to check for a task or a change, and where.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        context: { type: "string", maxLength: 10_000, description: "The task" },
        ...REVIEW_INPUT,
        limit: { type: "integer", minimum: 1, maximum: 100, default: 15 },
      },
    },
    output: {
      type: "object",
      properties: { markdown: TEXT, checks: { type: "array", items: CHECK }, left_out: { type: "integer" } },
      required: ["markdown", "checks", "left_out"],
    },
    annotations: READS,
    async run({ limit, ...ask }, call) {
      const { runChecklist } = await import("../review/checklist.js");
      const options = {
        limit,
        signal: call.signal,
        onProgress: (done: number, total: number) => call.progress(done, "Looking at files", total),
      };
      const found = await runChecklist(library, ask, options, () => reach(call));
      return new Content([text(found.markdown)], found as object as JsonObject);
    },
  });

const PATTERN = {
  type: "object",
  properties: { id: TEXT, name: TEXT, severity: TEXT, lines: COUNT, unchecked: COUNT, places: TEXTS },
  required: ["id", "name", "severity", "lines", "unchecked", "places"],
} as const;

const FAMILY = {
  type: "object",
  properties: {
    family: TEXT,
    files: COUNT,
    lines: COUNT,
    unchecked: COUNT,
    patterns: { type: "array", items: PATTERN },
  },
  required: ["family", "files", "lines", "unchecked", "patterns"],
} as const;

/** Says which families of threats a project touches. */
export const tmkbCoverage = ({ library, reach }: ThreatsContext) =>
  tool({
    name: "tmkb_coverage",
    title: "Map a project to threats",
    description: "Says which families of threats a project's code touches, and where.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, default: "." },
        max_files: { type: "integer", minimum: 1, maximum: 20_000, default: 2000 },
      },
    },
    output: {
      type: "object",
      properties: { files: COUNT, families: { type: "array", items: FAMILY }, untouched: TEXTS, notes: TEXTS },
      required: ["files", "families", "untouched", "notes"],
    },
    annotations: READS,
    async run({ path, max_files: most }, call) {
      const [{ readCoverage }, { writeCoverage }] = await Promise.all([
        import("../review/coverage.js"),
        import("../review/coverage.js"),
      ]);
      const onProgress = (done: number, total: number | undefined): void => {
        if (total === undefined) call.progress(done, "Looking for files");
        else call.progress(done, "Looking at files", total);
      };
      const found = await readCoverage(library, await reach(call), { path, most, signal: call.signal, onProgress });
      return new Content([text(writeCoverage(found))], found as object as JsonObject);
    },
  });
