import { hasPathTraversal, lowercaseHost, normalizeEscapes } from "./uri.js";
import type { Expression, TemplatePart, Variable } from "./uri-template.js";

const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%";
const RESERVED = ":/?#[]@!$&'()*+,;=";
// An expansion would encode these, but people and models write them unencoded, and they separate nothing.
const UNAMBIGUOUS = ":@!$'()*+";

/** The names and decoded values that a match found. */
export type MatchedValues = readonly (readonly [name: string, value: string | string[]])[];

/** A part of a URI that an expression expanded to: a prefix, then one or more allowed characters. */
interface Capture {
  readonly prefix: string;
  readonly characters: string;
  /** How many steps are left out if the part is absent; undefined = it is required. */
  readonly skipped: number | undefined;
  /** Parses the text after the prefix; undefined = the expression cannot expand to it. */
  parse(raw: string): MatchedValues | undefined;
}

/** What a URI must contain next: a literal or a capture. */
export type MatchStep = string | Capture;

/** Compiles a template to the steps that a URI must match, in order. Throws if adjacent expressions are ambiguous. */
export function compileSteps(parts: readonly TemplatePart[]): MatchStep[] {
  const steps: MatchStep[] = [];
  for (const [index, part] of parts.entries()) {
    if (typeof part === "string") steps.push(normalizeLiteral(part, index === 0));
    else {
      const characters = allowedCharacters(part, adjacentExpressions(parts, index));
      steps.push(...toCaptures(part, characters, mustBeRelative(part, parts[index - 1])));
    }
  }
  return steps;
}

/** Converts a literal to the form it has in a normalized URI. */
function normalizeLiteral(literal: string, isFirst: boolean): string {
  const text = normalizeEscapes(literal);
  const [start = "", scheme = "", authority = ""] =
    (isFirst && /^([A-Za-z][A-Za-z0-9+.-]*:)(\/\/[^/?#]*)?/.exec(text)) || [];
  return scheme.toLowerCase() + lowercaseHost(scheme, authority) + text.slice(start.length);
}

/** The expressions that follow without a literal in between; all but the last may be absent. */
function adjacentExpressions(parts: readonly TemplatePart[], index: number): Expression[] {
  const rest = parts.slice(index + 1);
  const end = rest.findIndex((part) => typeof part === "string");
  return (end === -1 ? rest : rest.slice(0, end)).filter((part) => typeof part !== "string");
}

/** The characters that a value may contain without being confused with the adjacent expressions. */
function allowedCharacters(expression: Expression, adjacent: readonly Expression[]): string {
  const { operator, variables } = expression;
  const list = variables.findIndex(({ explode }) => explode);
  if (!operator.named && list !== -1 && list < variables.length - 1)
    throw new Error(`${expression.text} has variables after the list "${variables[list]?.name}*": put the list last`);
  let characters = UNRESERVED + (operator.reserved ? RESERVED : UNAMBIGUOUS);
  if (operator.named) characters += `=${operator.separator}`;
  else if (operator.first === "." || variables.length > 1) characters = characters.replace(operator.separator, "");
  for (const { operator: next, text } of adjacent) {
    const isAmbiguous = characters.includes(next.first) || (list !== -1 && operator.separator === next.first);
    // A query or fragment may follow a path with reserved characters; the path then ends where they start.
    if (operator.reserved && operator.first === "" && (next.first === "?" || next.first === "#"))
      characters = characters.replace(next.first, "");
    else if (isAmbiguous)
      throw new Error(`${expression.text} and ${text} are ambiguous: put a literal character between them`);
  }
  return characters;
}

/** Whether a value is below a folder, and so may not be absolute: `/etc` after `file:///docs/`. */
function mustBeRelative({ operator }: Expression, before: TemplatePart | undefined): boolean {
  if (operator.named) return false;
  return !operator.reserved || (typeof before === "string" && /[^/:]\/$|:\/\/.*\/$/.test(before));
}

function toCaptures(expression: Expression, characters: string, isRelative: boolean): Capture[] {
  const { operator, variables } = expression;
  if (operator.named) {
    const parse = (raw: string): MatchedValues | undefined => parseNamedValues(raw, expression);
    return [{ prefix: operator.first, characters, skipped: 1, parse }];
  }
  return variables.map((variable, position) => ({
    prefix: position === 0 ? operator.first : operator.separator,
    characters: variable.explode ? characters + operator.separator : characters,
    skipped: position === 0 && operator.first === "" ? undefined : variables.length - position,
    parse: (raw) => parseValue(raw, variable, operator.separator, isRelative),
  }));
}

function parseValue(
  raw: string,
  variable: Variable,
  separator: string,
  isRelative: boolean,
): MatchedValues | undefined {
  const values: string[] = [];
  for (const text of variable.explode ? raw.split(separator) : [raw]) {
    const value = decodeValue(text, variable);
    if (value === undefined || value === "" || (isRelative && /^[/\\]/.test(value))) return undefined;
    values.push(value);
  }
  return [[variable.name, variable.explode ? values : (values[0] as string)]];
}

function parseNamedValues(raw: string, { operator, variables }: Expression): MatchedValues | undefined {
  const known = new Map(variables.map((variable) => [normalizeEscapes(variable.name), variable]));
  const found = new Map<string, string | string[]>();
  for (const pair of raw.split(operator.separator)) {
    const [name = "", text = "", ...more] = pair.split("=");
    const variable = known.get(name);
    if (variable === undefined || more.length > 0) return undefined;
    const value = decodeValue(text, variable);
    if (value === undefined) return undefined;
    const before = found.get(variable.name);
    if (Array.isArray(before)) before.push(value);
    else if (before === undefined) found.set(variable.name, variable.explode ? [value] : value);
    else return undefined;
  }
  return [...found];
}

/** Decodes a value; undefined = it is not UTF-8, too long, or contains a path traversal. */
function decodeValue(raw: string, { maxLength }: Variable): string | undefined {
  try {
    const value = decodeURIComponent(raw);
    return hasPathTraversal(value) || Array.from(value).length > maxLength ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The steps cannot match from this position to the end of the URI. */
const NO_MATCH = -1;

/**
 * Matches a URI and returns the values of the variables; undefined = it does not match.
 *
 * Works from the last step back to the first: for every position it records how far a step can match so that all later steps
 * match too. Each step visits each position a fixed number of times, so the time is linear for any URI: no backtracking.
 */
export function matchSteps(steps: readonly MatchStep[], uri: string): MatchedValues | undefined {
  const [first] = steps;
  // Most URIs belong to another template.
  if (typeof first === "string" && !uri.startsWith(first)) return undefined;
  const ends: Int32Array[] = [];
  ends[steps.length] = new Int32Array(uri.length + 1).fill(NO_MATCH);
  (ends[steps.length] as Int32Array)[uri.length] = uri.length;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index] as MatchStep;
    const next = ends[index + 1] as Int32Array;
    ends[index] =
      typeof step === "string"
        ? matchLiteral(step, uri, next)
        : matchCapture(step, uri, next, step.skipped === undefined ? undefined : ends[index + step.skipped]);
  }
  return collectValues(steps, uri, ends);
}

function collectValues(
  steps: readonly MatchStep[],
  uri: string,
  ends: readonly Int32Array[],
): MatchedValues | undefined {
  if (ends[0]?.[0] === NO_MATCH) return undefined;
  const found: MatchedValues[number][] = [];
  let at = 0;
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] as MatchStep;
    const end = ends[index]?.[at] as number;
    if (typeof step !== "string" && end === at) index += (step.skipped as number) - 1;
    else if (typeof step !== "string") {
      const values = step.parse(uri.slice(at + step.prefix.length, end));
      if (values === undefined) return undefined;
      found.push(...values);
    }
    at = end;
  }
  return found;
}

function matchLiteral(literal: string, uri: string, next: Int32Array): Int32Array {
  const ends = new Int32Array(uri.length + 1).fill(NO_MATCH);
  for (let at = uri.length - literal.length; at >= 0; at -= 1) {
    const end = at + literal.length;
    const isInsideEscape = uri.slice(Math.max(at - 2, 0), at).includes("%");
    if (next[end] !== NO_MATCH && !isInsideEscape && uri.startsWith(literal, at)) ends[at] = end;
  }
  return ends;
}

/** Matches as much as possible; an absent part ends where it starts. */
function matchCapture(step: Capture, uri: string, next: Int32Array, skipped: Int32Array | undefined): Int32Array {
  const ends = new Int32Array(uri.length + 1).fill(NO_MATCH);
  const lastMatch = lastMatches(next);
  // Where the run of allowed characters ends that starts at the current position, and at the one after it.
  let runEnd = uri.length;
  let nextRunEnd = uri.length;
  for (let at = uri.length; at >= 0; at -= 1) {
    nextRunEnd = runEnd;
    if (!step.characters.includes(uri.charAt(at))) runEnd = at;
    const start = at + step.prefix.length;
    const hasPrefix = step.prefix === "" || uri.startsWith(step.prefix, at);
    const maxEnd = step.prefix === "" ? runEnd : nextRunEnd;
    const end = hasPrefix ? (lastMatch[maxEnd] as number) : NO_MATCH;
    if (end > start) ends[at] = end;
    else if (skipped !== undefined && skipped[at] !== NO_MATCH) ends[at] = at;
  }
  return ends;
}

/** For every position, the last position up to it from which the later steps match. */
function lastMatches(next: Int32Array): Int32Array {
  let last = NO_MATCH;
  return next.map((end, at) => {
    if (end !== NO_MATCH) last = at;
    return last;
  });
}
