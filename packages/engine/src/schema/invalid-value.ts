import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";
import { correctValue } from "./correct.js";
import { fitsWithin } from "./describe.js";
import { collectIssues, formatIssues, type Issue, type ValuePath } from "./explain.js";
import { deepCopy } from "./json-value.js";
import { nearestValue } from "./nearest-value.js";
import type { ValidationResult } from "./schema.js";
import { MAX_REFERENCES, type SchemaNode } from "./schema-node.js";
import type { StandardSchema, StandardSchemaIssue, StandardSchemaResult } from "./standard-schema.js";

/** A value that its schema rejected: the library of a Standard Schema, or the JSON Schema. */
export interface InvalidValue {
  readonly value: unknown;
  readonly result: StandardSchemaResult;
  /** Validates another value. */
  readonly validate: StandardSchema["~standard"]["validate"];
  /** Whether the value may be corrected. */
  readonly correct: boolean;
  /** The JSON Schema; undefined = the library cannot convert its schema. */
  readonly root: SchemaNode | undefined;
}

/**
 * Corrects a value; if that is not enough, explains the issues and gives an example. Accepts a value that only the JSON Schema
 * of a library rejects, for example because the library converts it, unless it has unknown properties.
 */
export async function handleInvalidValue(invalid: InvalidValue): Promise<ValidationResult> {
  const { value, result, validate, correct, root } = invalid;
  if (root === undefined) return { ok: false, issues: formatIssues(toIssues(result.issues ?? [])), example: undefined };
  // Other values may have been validated since this one was rejected; the same holds after each `await`.
  root.budget.remaining = MAX_REFERENCES;
  if (!result.issues && findIssues(root, value, result).length === 0)
    return { ok: true, value: result.value, corrections: [] };
  // The JSON Schema cannot correct what only the library rejects.
  const corrected = root.accepts(value) ? { value, corrections: [] } : correctValue(root, value);
  const isCorrected = correct && corrected.corrections.length > 0;
  const latest = isCorrected ? await validate(corrected.value) : result;
  root.budget.remaining = MAX_REFERENCES;
  const issues = findIssues(root, isCorrected ? corrected.value : value, latest);
  if (issues.length === 0 && !latest.issues)
    return { ok: true, value: latest.value, corrections: corrected.corrections };
  root.budget.remaining = MAX_REFERENCES;
  const { example, isExampleExact } = createExample(root, corrected.value);
  const isExampleValid = example !== undefined && !(await validate(example)).issues;
  return { ok: false, issues: formatIssues(issues), example: isExampleValid ? example : undefined, isExampleExact };
}

/** Our own messages for what the JSON Schema finds; the library's for everything else, such as formats. */
function findIssues(root: SchemaNode, value: unknown, result: StandardSchemaResult): readonly Issue[] {
  const known = root.accepts(value) ? [] : collectIssues(root, value);
  if (!result.issues) return known.filter(({ isUnknownProperty }) => isUnknownProperty);
  const others = toIssues(result.issues).filter(
    ({ path }) => !known.some((issue) => leadsInto(issue.path, path) || leadsInto(path, issue.path)),
  );
  return [...known, ...others];
}

function toIssues(issues: readonly StandardSchemaIssue[]): Issue[] {
  return issues.map(({ path = [], message }) => {
    const keys = path.map((part) => (typeof part === "object" ? part.key : part));
    return { path: keys.map((key) => (typeof key === "number" ? key : String(key))), message };
  });
}

/** Whether a path leads to the same part as another one, or into it. */
function leadsInto(outer: ValuePath, path: ValuePath): boolean {
  return outer.every((key, index) => key === path[index]);
}

const MAX_ECHOED_LENGTH = 4_000;

/** Creates a valid value from an invalid one, or a minimal one, for a model to send instead. */
function createExample(root: SchemaNode, value: unknown): { example: JsonObject | undefined; isExampleExact: boolean } {
  const isExample = (candidate: unknown): candidate is JsonObject => isObject(candidate) && root.accepts(candidate);
  if (isExample(value)) return { example: value, isExampleExact: true };
  // An example is worth less time than the validation.
  root.budget.remaining = MAX_REFERENCES / 20;
  const near = nearestValue(root, fitsWithin(value, MAX_ECHOED_LENGTH) ? (value as Json) : undefined);
  return { example: isExample(near) ? (deepCopy(near) as JsonObject) : undefined, isExampleExact: false };
}
