import { createHash } from "node:crypto";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";

/** The severity of a result. */
type SarifLevel = "error" | "warning" | "note";

/** A rule that results refer to. */
export interface SarifRule {
  readonly id: string;
  /** The rule in one word, such as `CyclomaticComplexity`. */
  readonly name?: string;
  readonly shortDescription: string;
  readonly fullDescription: string;
  /** What to do about a result; the full description by default. */
  readonly help?: string;
  readonly level: SarifLevel;
  /** Such as `tags` and `security-severity`, which code scanning sorts by. */
  readonly properties?: JsonObject;
}

/** A finding in a file. */
interface SarifResult {
  /** The id of one of the rules. */
  readonly rule: string;
  readonly level: SarifLevel;
  readonly message: string;
  /** Relative to the analyzed folder, or absolute. */
  readonly file: string;
  readonly line: number;
  readonly endLine?: number;
  /** The text of the lines. */
  readonly snippet?: string;
  /** The function that contains it: its plain name, or its name with those of its containers. */
  readonly function?: { readonly name: string } | { readonly fullyQualifiedName: string };
  /** What identifies the finding when lines move. The key names the scheme and its version, such as `function/v1`. */
  readonly fingerprint: { readonly key: string; readonly parts: readonly string[] };
  readonly baselineState?: "new" | "updated" | "unchanged";
  readonly properties?: JsonObject;
}

/** The content of a SARIF log. */
export interface SarifOptions {
  /** The version of the program that found the results. */
  readonly version?: string;
  readonly rules: readonly SarifRule[];
  readonly results: readonly SarifResult[];
}

/** Writes results as a SARIF 2.1.0 log, in the form that code scanning services accept. */
export function toSarif({ version, rules, results }: SarifOptions): JsonObject {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "toolwright", ...(version !== undefined && { version }), rules: rules.map(toRule) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The folder that all paths are relative to." } } },
        results: results.map((result) => toResult(result, indexes.get(result.rule) ?? -1)),
      },
    ],
  };
}

function toRule({ id, name, shortDescription, fullDescription, help, level, properties }: SarifRule): JsonObject {
  return {
    id,
    ...(name !== undefined && { name }),
    shortDescription: { text: shortDescription },
    fullDescription: { text: fullDescription },
    help: { text: help ?? fullDescription },
    defaultConfiguration: { level },
    ...(properties !== undefined && { properties }),
  };
}

function toResult(result: SarifResult, ruleIndex: number): JsonObject {
  const { rule, level, message, file, line, endLine, snippet, fingerprint, baselineState, properties } = result;
  return {
    ruleId: rule,
    ruleIndex,
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: toLocation(file),
          region: {
            startLine: line,
            ...(endLine !== undefined && { endLine }),
            ...(snippet !== undefined && { snippet: { text: snippet } }),
          },
        },
        ...(result.function !== undefined && { logicalLocations: [{ ...result.function, kind: "function" }] }),
      },
    ],
    partialFingerprints: { [fingerprint.key]: hashOf(fingerprint.parts) },
    ...(baselineState !== undefined && { baselineState }),
    ...(properties !== undefined && { properties }),
  };
}

/** A path as a URI, relative to the analyzed folder if it lies inside. */
function toLocation(file: string): JsonObject {
  // A URI cannot represent a lone surrogate, which some file systems allow in names.
  const names = Buffer.from(file.replace(/^\.\//, "")).toString().split("/");
  const uri = names.map(encodeURIComponent).join("/");
  return path.isAbsolute(file)
    ? { uri: `file://${uri.startsWith("/") ? "" : "/"}${uri}` }
    : { uri, uriBaseId: "SRCROOT" };
}

const hashOf = (parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
