import { createHash } from "node:crypto";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import type { FoundViolation } from "./report.js";
import { METRICS, type Metric } from "./violations.js";

const HELP: Readonly<Record<Metric, { readonly title: string; readonly about: string }>> = {
  cyclomatic: {
    title: "Cyclomatic complexity",
    about:
      "Counts the ways through a function (McCabe): one, and one more for each decision, such as if, a loop, a case, catch, ?: or a short-circuit operator. A function with many ways needs as many tests. Split it, or replace decisions by a table.",
  },
  cognitive: {
    title: "Cognitive complexity",
    about:
      "Counts what makes a function hard to read (SonarSource): each break in the flow, and more the deeper it is nested. Return early, take out inner blocks as functions, and simplify conditions.",
  },
};

/** Violations as SARIF 2.1.0, as code scanning takes it. */
export function toSarif(found: readonly FoundViolation[]): JsonObject {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "toolwright", rules: METRICS.map(ruleOf) } },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The folder that all paths are relative to." } } },
        results: found.map(resultOf),
      },
    ],
  };
}

function ruleOf(metric: Metric): JsonObject {
  const { title, about } = HELP[metric];
  return {
    id: `${metric}-complexity`,
    name: title.replaceAll(/ (\w)/g, (_all, letter: string) => letter.toUpperCase()),
    shortDescription: { text: `${title} of a function is above its threshold.` },
    fullDescription: { text: about },
    help: { text: about },
    defaultConfiguration: { level: "warning" },
    properties: { tags: ["maintainability"] },
  };
}

function resultOf({ violation, of }: FoundViolation): JsonObject {
  const { rule, severity, message, file, line, end_line, value, threshold, baseline_state } = violation;
  return {
    ruleId: rule,
    ruleIndex: METRICS.findIndex((metric) => rule.startsWith(metric)),
    level: severity,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: locationOf(file),
          region: { startLine: line, endLine: end_line },
        },
        logicalLocations: [{ fullyQualifiedName: violation.function, kind: "function" }],
      },
    ],
    // Lines move with every edit above; the function stays the same one.
    partialFingerprints: { "function/v1": fingerprint([rule, file, violation.function, String(of.ordinal)]) },
    ...(baseline_state !== undefined && { baselineState: baseline_state }),
    properties: { value, threshold },
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
