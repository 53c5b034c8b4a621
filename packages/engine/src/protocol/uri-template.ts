import { MAX_URI_LENGTH } from "./uri.js";
import { compileSteps, matchSteps } from "./uri-template-match.js";

const MAX_TEMPLATE_LENGTH = 2048;
const MAX_EXPRESSIONS = 32;

const VARIABLE = /^((?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*)(\*|:[1-9]\d{0,3})?$/;

/** How the values of an expression are expanded (RFC 6570, appendix A). */
interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Whether each value follows its name and an equals sign. */
  readonly named: boolean;
  /** Whether reserved characters are left unencoded. */
  readonly reserved: boolean;
}

const SIMPLE_EXPANSION: Operator = { first: "", separator: ",", named: false, reserved: false };

const OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ["+", { first: "", separator: ",", named: false, reserved: true }],
  ["#", { first: "#", separator: ",", named: false, reserved: true }],
  [".", { first: ".", separator: ".", named: false, reserved: false }],
  ["/", { first: "/", separator: "/", named: false, reserved: false }],
  [";", { first: ";", separator: ";", named: true, reserved: false }],
  ["?", { first: "?", separator: "&", named: true, reserved: false }],
  ["&", { first: "&", separator: "&", named: true, reserved: false }],
]);

/** One variable of an expression, with its modifier. */
export interface Variable {
  readonly name: string;
  readonly explode: boolean;
  /** The maximum number of characters of its value. */
  readonly maxLength: number;
}

/** An expression between braces. */
export interface Expression {
  readonly text: string;
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** A literal, as written, or an expression. */
export type TemplatePart = string | Expression;

/** A parsed URI template (RFC 6570), which finds the values of its variables in a URI. */
export interface UriTemplate {
  /** The names of its variables, in order. */
  readonly variables: readonly string[];
  /**
   * Returns the decoded values of the variables in a normalized URI; undefined = the URI does not match, or a value contains a
   * path traversal. If the match is ambiguous, earlier variables match as much as possible.
   */
  match(uri: string): Readonly<Record<string, string | string[]>> | undefined;
}

/** Parses a URI template. Throws with the reason if it is invalid or ambiguous. */
export function parseUriTemplate(text: string): UriTemplate {
  const parts = parseParts(text);
  const steps = compileSteps(parts);
  return {
    variables: parts.flatMap((part) => (typeof part === "string" ? [] : part.variables.map(({ name }) => name))),
    match: (uri) => {
      const found = uri.length > MAX_URI_LENGTH ? undefined : matchSteps(steps, uri);
      return found && Object.fromEntries(found);
    },
  };
}

/** Parses a template to its literals and expressions. Throws with the reason if it violates RFC 6570. */
export function parseParts(text: string): TemplatePart[] {
  if (text.length > MAX_TEMPLATE_LENGTH)
    throw new Error(`it has ${text.length} characters, at most ${MAX_TEMPLATE_LENGTH} are allowed`);
  // Splitting at a group keeps what the group matches: literals are at even indexes, expressions at odd ones.
  const pieces = text.split(/(\{[^}]*\})/);
  if (pieces.length > 2 * MAX_EXPRESSIONS + 1) throw new Error(`it has more than ${MAX_EXPRESSIONS} expressions`);
  const names = new Set<string>();
  return pieces.flatMap((piece, index): TemplatePart[] => {
    if (index % 2 === 1) return [parseExpression(piece, names)];
    checkLiteral(piece);
    return piece === "" ? [] : [piece];
  });
}

function checkLiteral(literal: string): void {
  const brace = /[{}]/.exec(literal)?.[0];
  if (brace !== undefined) throw new Error(`the "${brace}" in "${literal}" has no matching brace`);
  // The apostrophe is allowed, although RFC 6570 omits it: it is legal in a URI.
  const illegal = /%(?![\dA-Fa-f]{2})|\p{Cc}|\p{Cs}|[ "<>\\^`|]/u.exec(literal)?.[0];
  if (illegal !== undefined) throw new Error(`it has a ${JSON.stringify(illegal)}, which must be percent-encoded`);
}

function parseExpression(text: string, names: Set<string>): Expression {
  const content = text.slice(1, -1);
  const operator = OPERATORS.get(content.charAt(0));
  const variables = (operator ? content.slice(1) : content).split(",").map((spec) => parseVariable(spec, text));
  for (const { name } of variables) {
    if (names.has(name)) throw new Error(`${text} repeats the variable "${name}"`);
    names.add(name);
  }
  return { text, operator: operator ?? SIMPLE_EXPANSION, variables };
}

function parseVariable(spec: string, expression: string): Variable {
  const [found, name = "", modifier = ""] = VARIABLE.exec(spec) ?? [];
  if (found === undefined)
    throw new Error(
      `${JSON.stringify(spec)} in ${expression} is not a variable: ` +
        'use letters, digits, "_" and dots between them, then optionally "*" or a length from ":1" to ":9999"',
    );
  return {
    name,
    explode: modifier === "*",
    maxLength: modifier.startsWith(":") ? Number(modifier.slice(1)) : Infinity,
  };
}
