import { type JsonObject, ToolError, tool } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { READS } from "../annotations.js";
import type { ThreatPattern } from "../format/pattern.js";
import { type Entry, type Filter, filterValues } from "../library/library.js";
import type { ThreatsContext } from "../threats-context.js";
import { countDiagnostics, DIAGNOSTIC, fitting, LISTED, TEXTS, toListItem } from "./results.js";

/** Lists the patterns. */
export const tmkbList = ({ library }: ThreatsContext) =>
  tool({
    name: "tmkb_list",
    title: "List threat patterns",
    description: "Lists threat patterns; filters combine.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        category: { type: "string", description: "Such as authz" },
        severity: { type: "string" },
        tier: { type: "string" },
        language: { type: "string" },
        framework: { type: "string" },
        offset: { type: "integer", minimum: 0, default: 0 },
      },
    },
    output: {
      type: "object",
      properties: {
        patterns: { type: "array", items: LISTED },
        count: { type: "integer" },
        next: { type: "object", properties: { offset: { type: "integer" } }, required: ["offset"] },
        hint: { type: "string" },
        diagnostics: { type: "array", items: DIAGNOSTIC },
      },
      required: ["patterns", "count"],
    },
    annotations: READS,
    async run({ offset, ...filter }) {
      const found = await library.list(filter);
      const patterns = [...fitting(found.slice(offset).map(toListItem))];
      const end = offset + patterns.length;
      const hint = found.length === 0 ? describeUnknownFilter(await library.list(), filter) : undefined;
      const diagnostics = [...fitting(await library.diagnostics(), 4000)];
      return {
        patterns,
        count: found.length,
        ...(end < found.length && { next: { offset: end } }),
        ...(hint !== undefined && { hint }),
        ...(diagnostics.length > 0 && { diagnostics }),
      };
    },
  });

/** A filter that fits nothing gives an empty list; what was mistyped is said beside it. */
function describeUnknownFilter(all: readonly Entry[], filter: Filter): string | undefined {
  for (const part of ["category", "severity", "tier", "language", "framework"] as const) {
    const word = filter[part];
    const known = filterValues(all, part);
    if (word === undefined || known.includes(word)) continue;
    const meant = nearest(word, known);
    return `There is no ${part} ${JSON.stringify(word)}; ${meant === undefined ? `there are ${known.join(", ")}.` : `did you mean ${meant}?`}`;
  }
  return undefined;
}

/** Shows a pattern whole. */
export const tmkbGet = ({ library }: ThreatsContext) =>
  tool({
    name: "tmkb_get",
    title: "Show a threat pattern",
    description: "Shows a threat pattern whole: scenario, mitigations, code, checks.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        id: { type: "string", minLength: 1, description: "Such as TMKB-AUTHZ-001" },
        language: { type: "string", description: "Only code in it" },
      },
      required: ["id"],
    },
    output: {
      type: "object",
      properties: {
        uri: { type: "string" },
        listed: LISTED,
        pattern: { type: "object" },
        note: { type: "string" },
      },
      required: ["uri", "listed", "pattern"],
    },
    annotations: READS,
    async run({ id, language }) {
      const entry = await library.find(id);
      const pattern = await library.read(entry.id);
      const isThere = language === undefined || entry.code.some((code) => code.language === language);
      const listed = toListItem(entry);
      return {
        uri: `threat://${entry.id}`,
        listed,
        pattern: (isThere && language !== undefined ? inLanguage(pattern, language) : pattern) as unknown as JsonObject,
        ...(!isThere && {
          note: `There is no code in ${language}, so that all of it is shown: ${listed.languages.join(", ")}.`,
        }),
      };
    },
  });

const inLanguage = (pattern: ThreatPattern, language: string): ThreatPattern => ({
  ...pattern,
  mitigations: pattern.mitigations.map(({ code_examples: examples = [], ...mitigation }) => ({
    ...mitigation,
    code_examples: examples.filter((example) => example.language === language),
  })),
});

const MAX_TEXT = 200_000;

const FAILED = {
  type: "object",
  properties: {
    id: { type: "string" },
    query: { type: "string" },
    expected: { enum: ["found", "ignored"] },
    first: TEXTS,
  },
  required: ["id", "query", "expected", "first"],
} as const;

/** Checks patterns. */
export const tmkbValidate = ({ library }: ThreatsContext) =>
  tool({
    name: "tmkb_validate",
    title: "Check threat patterns",
    description:
      "Checks a threat pattern given as YAML, the one with an id, or all of the user's: diagnostics with lines, and its own queries.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", maxLength: MAX_TEXT, description: "YAML" },
        file: { type: "string", maxLength: 500, default: "pattern.yaml" },
        id: { type: "string" },
      },
    },
    output: {
      type: "object",
      properties: {
        valid: { type: "boolean" },
        files: { type: "integer" },
        errors: { type: "integer" },
        warnings: { type: "integer" },
        diagnostics: { type: "array", items: DIAGNOSTIC },
        queries: {
          type: "object",
          properties: { passed: { type: "integer" }, failed: { type: "array", items: FAILED } },
          required: ["passed", "failed"],
        },
      },
      required: ["valid", "files", "errors", "warnings", "diagnostics", "queries"],
    },
    annotations: READS,
    async run({ pattern, file, id }) {
      if (pattern !== undefined && id !== undefined)
        throw new ToolError("Cannot check a text and an id at once. Give pattern or id.", {
          code: "INVALID_ARGUMENTS",
        });
      const [{ validateAll, validateId, validateText }, { createFinderOf }] = await Promise.all([
        import("../library/validate.js"),
        import("../library/validate.js"),
      ]);
      const createFinder = createFinderOf(library);
      const { files, diagnostics, queries } = await (pattern !== undefined
        ? validateText(pattern, file, library, createFinder)
        : id !== undefined
          ? validateId(id, library, createFinder)
          : validateAll(library, createFinder));
      const failed = queries.filter(({ passed }) => !passed);
      const { errors, warnings } = countDiagnostics(diagnostics);
      return {
        valid: errors === 0 && failed.length === 0,
        files,
        errors,
        warnings,
        diagnostics: [...fitting(diagnostics, 30_000)],
        queries: {
          passed: queries.length - failed.length,
          failed: fitting(failed, 10_000).map(({ id: asked, query, expected, first }) => ({
            id: asked,
            query,
            expected,
            first: [...first],
          })),
        },
      };
    },
  });
