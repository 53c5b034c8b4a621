import { Content, type JsonObject, text, tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import { toolProgress } from "@toolwright/kit/progress";
import { SEVERITIES } from "../format/pattern.js";
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

/** Reviews code. */
export const reviewTool = ({ library, files }: ThreatsContext) =>
  tool({
    name: "tmkb_review",
    title: "Review code for threats",
    description:
      "Reviews a diff, files or texts for lines that need a check which is not visible in the same function. A finding is a question, not a proof.",
    toolset: "threats-extra",
    input: {
      type: "object",
      properties: {
        ...REVIEW_INPUT,
        texts: {
          type: "array",
          items: {
            type: "object",
            properties: {
              path: { type: "string", description: "The file name, which tells the language." },
              text: { type: "string", maxLength: 10_000_000, description: "The code." },
            },
            required: ["path", "text"],
          },
          description: "Code that is in no file.",
        },
        language: { type: "string", description: "Review only code in this language, such as python." },
        category: { type: "string", description: "Only patterns of this family, such as authz." },
        severity: { type: "string", enum: SEVERITIES, description: "The minimum severity." },
        limit: { type: "integer", minimum: 1, maximum: 200, default: 20, description: "Maximum number of findings." },
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
    annotations: READ,
    async run({ limit, ...input }, call) {
      const { runReview, writeReview } = await import("../review/run-review.js");
      const options = { limit, signal: call.signal, onProgress: toolProgress(call) };
      const { fragments: _fragments, ...found } = await runReview(library, input, options, () => files.accessFor(call));
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

/** Creates a checklist. */
export const checklistTool = ({ library, files }: ThreatsContext) =>
  tool({
    name: "tmkb_checklist",
    title: "Create a threat checklist",
    description:
      "Creates Markdown check boxes for a pull request: the threats to check for a task or a change, and where.",
    toolset: "threats-extra",
    input: {
      type: "object",
      properties: {
        context: { type: "string", maxLength: 10_000, description: "A description of the task." },
        ...REVIEW_INPUT,
        limit: { type: "integer", minimum: 1, maximum: 100, default: 15, description: "Maximum number of checks." },
      },
    },
    output: {
      type: "object",
      properties: { markdown: TEXT, checks: { type: "array", items: CHECK }, left_out: COUNT },
      required: ["markdown", "checks", "left_out"],
    },
    annotations: READ,
    async run({ limit, ...input }, call) {
      const { createChecklist } = await import("../review/checklist.js");
      const options = { limit, signal: call.signal, onProgress: toolProgress(call) };
      const found = await createChecklist(library, input, options, () => files.accessFor(call));
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

/** Maps a project to families of threats. */
export const coverageTool = ({ library, files }: ThreatsContext) =>
  tool({
    name: "tmkb_coverage",
    title: "Map a project to threats",
    description: "Lists the families of threats that apply to the code of a project, with the places and their checks.",
    toolset: "threats-extra",
    input: {
      type: "object",
      properties: {
        path: { type: "string", minLength: 1, default: ".", description: "The file or folder to scan." },
        max_files: {
          type: "integer",
          minimum: 1,
          maximum: 20_000,
          default: 2000,
          description: "Maximum number of files to scan.",
        },
      },
    },
    output: {
      type: "object",
      properties: { files: COUNT, families: { type: "array", items: FAMILY }, untouched: TEXTS, notes: TEXTS },
      required: ["files", "families", "untouched", "notes"],
    },
    annotations: READ,
    async run({ path, max_files: limit }, call) {
      const { readCoverage, writeCoverage } = await import("../review/coverage.js");
      const options = { path, limit, signal: call.signal, onProgress: toolProgress(call) };
      const found = await readCoverage(library, await files.accessFor(call), options);
      return new Content([text(writeCoverage(found))], found as object as JsonObject);
    },
  });
