import { type JsonObject, ToolError, tool } from "@toolwright/engine";
import { fitToBudget } from "@toolwright/kit/files";
import { CURSOR, nextOffset, offsetOf, READ } from "@toolwright/kit/pack";
import { nearest } from "@toolwright/kit/text";
import { CATEGORIES, SEVERITIES, type ThreatPattern, TIERS } from "../format/pattern.js";
import { type Entry, type Filter, filterValues } from "../library/library.js";
import type { ThreatsContext } from "../threats-context.js";
import { countDiagnostics, DIAGNOSTIC, LISTED, TEXTS, toListItem } from "./results.js";

/** The size of the lists of problems in a result, in bytes. */
const MAX_BYTES = { listed: 4000, diagnostics: 30_000, queries: 10_000 } as const;

/** Lists patterns. */
export const listTool = ({ library }: ThreatsContext) =>
  tool({
    name: "tmkb_list",
    title: "List threat patterns",
    description: "Lists threat patterns by id. Filters combine. tmkb_query finds the patterns that a task needs.",
    toolset: "threats-extra",
    input: {
      type: "object",
      properties: {
        category: { type: "string", description: `Only this family: ${CATEGORIES.join(", ")}, or one of the user.` },
        severity: { type: "string", description: `Only this severity: ${SEVERITIES.join(", ")}.` },
        tier: { type: "string", description: `Only this tier: ${TIERS.join(" (in full) or ")} (in short).` },
        language: { type: "string", description: "Only patterns with code in this language, such as python." },
        framework: { type: "string", description: "Only patterns with code for this framework, such as flask." },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: {
        patterns: { type: "array", items: LISTED },
        count: { type: "integer" },
        next_cursor: { type: "string" },
        hint: { type: "string" },
        diagnostics: { type: "array", items: DIAGNOSTIC },
      },
      required: ["patterns", "count"],
    },
    annotations: READ,
    async run({ cursor, ...filter }) {
      const offset = offsetOf(cursor);
      const found = await library.list(filter);
      const patterns = fitToBudget(found.slice(offset).map(toListItem));
      const end = offset + patterns.length;
      const hint = found.length === 0 ? describeUnknownFilter(await library.list(), filter) : undefined;
      const diagnostics = fitToBudget(await library.diagnostics(), MAX_BYTES.listed).map((each) => ({ ...each }));
      return {
        patterns,
        count: found.length,
        ...nextOffset(end, found.length),
        ...(hint !== undefined && { hint }),
        ...(diagnostics.length > 0 && { diagnostics }),
      };
    },
  });

/** A filter that matches nothing gives an empty list; if its value is unknown, this says so. */
function describeUnknownFilter(all: readonly Entry[], filter: Filter): string | undefined {
  for (const name of ["category", "severity", "tier", "language", "framework"] as const) {
    const value = filter[name];
    const known = filterValues(all, name);
    if (value === undefined || known.includes(value)) continue;
    const meant = nearest(value, known);
    return `Unknown ${name} ${JSON.stringify(value)}. ${meant === undefined ? `Known: ${known.join(", ")}.` : `Did you mean ${meant}?`}`;
  }
  return undefined;
}

/** Reads one pattern. */
export const getTool = ({ library }: ThreatsContext) =>
  tool({
    name: "tmkb_get",
    title: "Get a threat pattern",
    description: "Returns one threat pattern in full, with vulnerable and secure code.",
    toolset: "threats",
    input: {
      type: "object",
      properties: {
        id: { type: "string", description: "Pattern id, such as TMKB-AUTHZ-001." },
        language: { type: "string", description: "Only code in this language." },
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
    annotations: READ,
    async run({ id, language }) {
      const entry = await library.find(id);
      const pattern = await library.read(entry.id);
      const hasCode = language === undefined || entry.code.some((code) => code.language === language);
      const listed = toListItem(entry);
      return {
        uri: `threat://${entry.id}`,
        listed,
        pattern: (hasCode && language !== undefined ? withCodeIn(pattern, language) : pattern) as unknown as JsonObject,
        ...(!hasCode && { note: `There is no code in ${language}. Returned: ${listed.languages.join(", ")}.` }),
      };
    },
  });

const withCodeIn = (pattern: ThreatPattern, language: string): ThreatPattern => ({
  ...pattern,
  mitigations: pattern.mitigations.map(({ code_examples: examples = [], ...mitigation }) => ({
    ...mitigation,
    code_examples: examples.filter((example) => example.language === language),
  })),
});

const FAILED_QUERY = {
  type: "object",
  properties: {
    id: { type: "string" },
    query: { type: "string" },
    expected: { enum: ["found", "ignored"] },
    first: TEXTS,
  },
  required: ["id", "query", "expected", "first"],
} as const;

/** Validates patterns. */
export const validateTool = ({ library }: ThreatsContext) =>
  tool({
    name: "tmkb_validate",
    title: "Validate threat patterns",
    description:
      "Validates a threat pattern: problems with their line, and whether its test queries find it. Give YAML or an id; without both, all patterns of the user are validated.",
    toolset: "threats-extra",
    input: {
      type: "object",
      properties: {
        pattern: { type: "string", maxLength: 200_000, description: "The text of a pattern file, in YAML." },
        file: {
          type: "string",
          maxLength: 500,
          default: "pattern.yaml",
          description: "The file name in the reported problems.",
        },
        id: { type: "string", description: "The id of an existing pattern." },
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
          properties: { passed: { type: "integer" }, failed: { type: "array", items: FAILED_QUERY } },
          required: ["passed", "failed"],
        },
      },
      required: ["valid", "files", "errors", "warnings", "diagnostics", "queries"],
    },
    annotations: READ,
    async run({ pattern, file, id }) {
      if (pattern !== undefined && id !== undefined)
        throw new ToolError("pattern and id exclude each other.", { code: "INVALID_ARGUMENTS" });
      const { createFinderOf, validateAll, validateId, validateText } = await import("../library/validate.js");
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
        diagnostics: fitToBudget(diagnostics, MAX_BYTES.diagnostics).map((each) => ({ ...each })),
        queries: {
          passed: queries.length - failed.length,
          failed: fitToBudget(failed, MAX_BYTES.queries).map(({ passed: _passed, first, ...query }) => ({
            ...query,
            first: [...first],
          })),
        },
      };
    },
  });
