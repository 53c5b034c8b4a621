import { createHash } from "node:crypto";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import type { Severity } from "../format/pattern.js";
import type { Finding, PatternFindings } from "./review.js";

const LEVELS: Readonly<Record<Severity, string>> = { critical: "error", high: "error", medium: "warning", low: "note" };
/** What code scanning sorts by, as in CVSS. */
const SCORES: Readonly<Record<Severity, string>> = { critical: "9.5", high: "8.0", medium: "5.5", low: "3.0" };

/** Findings as SARIF 2.1.0, as code scanning takes it. `version` is that of the tool. */
export function toSarif(patterns: readonly PatternFindings[], version: string): JsonObject {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "toolwright", version, rules: patterns.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The folder that all paths are relative to." } } },
        results: patterns.flatMap((pattern, at) => pattern.findings.map((finding) => resultOf(pattern, at, finding))),
      },
    ],
  };
}

function ruleOf({ id, name, category, severity, check, fix, cwe }: PatternFindings): JsonObject {
  return {
    id,
    shortDescription: { text: name },
    fullDescription: { text: `${check} ${fix}` },
    help: { text: `${check}\n\n${fix}` },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: {
      tags: ["security", category, ...cwe.map((one) => `external/cwe/${one.toLowerCase()}`)],
      "security-severity": SCORES[severity],
    },
  };
}

function resultOf({ id, name, severity, fix }: PatternFindings, ruleIndex: number, finding: Finding): JsonObject {
  const { file, line, text, function: section, missing, confidence, context_cut: isCut } = finding;
  return {
    ruleId: id,
    ruleIndex,
    level: confidence === "low" ? "note" : (LEVELS[severity] ?? "warning"),
    message: { text: `${name}: ${missing}. ${fix}` },
    locations: [
      {
        physicalLocation: { artifactLocation: locationOf(file), region: { startLine: line, snippet: { text } } },
        ...(section !== undefined && { logicalLocations: [{ name: section, kind: "function" }] }),
      },
    ],
    // Lines move with every edit above; what a line says, and where it says so, stays.
    partialFingerprints: { "line/v1": fingerprint([id, file, section ?? "", text]) },
    properties: { confidence, ...(isCut && { contextCut: true }) },
  };
}

/** A path as a URI: relative to the root where it lies there. */
function locationOf(file: string): JsonObject {
  // Half a character, which some systems allow in names, has no place in a URI.
  const names = Buffer.from(file.replace(/^\.\//, "")).toString().split("/");
  const uri = names.map(encodeURIComponent).join("/");
  return path.isAbsolute(file)
    ? { uri: `file://${uri.startsWith("/") ? "" : "/"}${uri}` }
    : { uri, uriBaseId: "SRCROOT" };
}

const fingerprint = (parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 32);
