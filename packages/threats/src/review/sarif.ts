import type { JsonObject } from "@toolwright/engine";
import { type SarifOptions, type SarifRule, toSarif as toSarifLog } from "@toolwright/kit/sarif";
import type { Severity } from "../format/pattern.js";
import type { Finding, PatternFindings } from "./review.js";

const LEVELS: Readonly<Record<Severity, SarifRule["level"]>> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
};
/** The scores that code scanning sorts by, on the scale of CVSS. */
const SCORES: Readonly<Record<Severity, string>> = { critical: "9.5", high: "8.0", medium: "5.5", low: "3.0" };

/** Converts findings to a SARIF 2.1.0 log. `version` is the version of toolwright. */
export function toSarif(patterns: readonly PatternFindings[], version: string): JsonObject {
  return toSarifLog({
    version,
    rules: patterns.map(toRule),
    results: patterns.flatMap((pattern) => pattern.findings.map((finding) => toResult(pattern, finding))),
  });
}

function toRule({ id, name, category, severity, check, fix, cwe }: PatternFindings): SarifRule {
  return {
    id,
    shortDescription: name,
    fullDescription: `${check} ${fix}`,
    help: `${check}\n\n${fix}`,
    level: LEVELS[severity],
    properties: {
      tags: ["security", category, ...cwe.map((one) => `external/cwe/${one.toLowerCase()}`)],
      "security-severity": SCORES[severity],
    },
  };
}

function toResult(pattern: PatternFindings, finding: Finding): SarifOptions["results"][number] {
  const { id, name, severity, fix } = pattern;
  const { file, line, text, function: section, missing, confidence, context_cut: isCut } = finding;
  return {
    rule: id,
    level: confidence === "low" ? "note" : LEVELS[severity],
    message: `${name}: ${missing}. ${fix}`,
    file,
    line,
    snippet: text,
    ...(section !== undefined && { function: { name: section } }),
    // Line numbers change with every edit above the finding; its text and function rarely do.
    fingerprint: { key: "line/v1", parts: [id, file, section ?? "", text] },
    properties: { confidence, ...(isCut && { contextCut: true }) },
  };
}
