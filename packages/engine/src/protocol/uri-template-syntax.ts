const MOST_CHARACTERS = 2048;
const MOST_EXPRESSIONS = 32;

/** What most literals are made of. */
const PLAIN = /^[\w:/.?#&=~,;@+-]*$/;

const VARIABLE = /^((?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*)(\*|:[1-9]\d{0,3})?$/;

/** How the values of one expression are written (RFC 6570, appendix A). */
export interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly named: boolean;
  /** What stands behind the name of an empty value. */
  readonly ifEmpty: string;
  /** Whether reserved characters stay as they are. */
  readonly reserved: boolean;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  "": { first: "", separator: ",", named: false, ifEmpty: "", reserved: false },
  "+": { first: "", separator: ",", named: false, ifEmpty: "", reserved: true },
  "#": { first: "#", separator: ",", named: false, ifEmpty: "", reserved: true },
  ".": { first: ".", separator: ".", named: false, ifEmpty: "", reserved: false },
  "/": { first: "/", separator: "/", named: false, ifEmpty: "", reserved: false },
  ";": { first: ";", separator: ";", named: true, ifEmpty: "", reserved: false },
  "?": { first: "?", separator: "&", named: true, ifEmpty: "=", reserved: false },
  "&": { first: "&", separator: "&", named: true, ifEmpty: "=", reserved: false },
};

/** One variable of an expression, with what its modifier says. */
export interface Variable {
  readonly name: string;
  readonly explode: boolean;
  /** The number of characters that are used at most. */
  readonly most: number | undefined;
}

/** What stands between two braces. */
export interface Expression {
  readonly text: string;
  /** Where it begins; the first character of the template is number 1. */
  readonly at: number;
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** A literal, as the author wrote it, or an expression. */
export type Part = string | Expression;

/** Takes a template apart; throws with the reason and the place where it breaks the grammar of RFC 6570. */
export function readParts(text: string): Part[] {
  if (text.length > MOST_CHARACTERS)
    throw new Error(`it has ${text.length} characters, at most ${MOST_CHARACTERS} are allowed`);
  const parts: Part[] = [];
  let expressions = 0;
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf("{", at);
    const literal = text.slice(at, open === -1 ? text.length : open);
    if (literal !== "") parts.push(readLiteral(literal, at + 1));
    if (open === -1) break;
    const close = text.indexOf("}", open);
    if (close === -1) throw new Error(`the "{" at character ${open + 1} is never closed`);
    expressions += 1;
    if (expressions > MOST_EXPRESSIONS) throw new Error(`it has more than ${MOST_EXPRESSIONS} expressions`);
    parts.push(readExpression(text.slice(open, close + 1), open + 1));
    at = close + 1;
  }
  checkNames(parts);
  return parts;
}

function readLiteral(literal: string, at: number): string {
  const brace = literal.indexOf("}");
  if (brace !== -1) throw new Error(`the "}" at character ${at + brace} closes nothing`);
  if (PLAIN.test(literal)) return literal;
  // The apostrophe is allowed although the grammar of RFC 6570 leaves it out: it is legal in a URI. The expression stands here
  // because it takes long to make, and few templates need it.
  const illegal = /%(?![\dA-Fa-f]{2})|\p{Cc}|\p{Cs}|[ "<>\\^`|]/u.exec(literal);
  if (illegal !== null)
    throw new Error(`the ${JSON.stringify(illegal[0])} at character ${at + illegal.index} must be percent-encoded`);
  return literal;
}

function readExpression(text: string, at: number): Expression {
  const inside = text.slice(1, -1);
  const mark = inside.charAt(0);
  if (mark !== "" && "=,!@|".includes(mark))
    throw new Error(`the operator "${mark}" at character ${at + 1} is reserved: RFC 6570 gives it no meaning`);
  const operator = OPERATORS[mark];
  const list = operator === undefined ? inside : inside.slice(mark.length);
  let place = at + text.length - 1 - list.length;
  const variables = list.split(",").map((spec) => {
    const variable = readVariable(spec, place);
    place += spec.length + 1;
    return variable;
  });
  return { text, at, operator: operator ?? (OPERATORS[""] as Operator), variables };
}

function readVariable(spec: string, at: number): Variable {
  const [found, name = "", modifier = ""] = VARIABLE.exec(spec) ?? [];
  if (found === undefined)
    throw new Error(
      `${JSON.stringify(spec)} at character ${at} is no variable: ` +
        'it takes letters, digits, "_" and dots between them, and may end with "*" or a length from ":1" to ":9999"',
    );
  return { name, explode: modifier === "*", most: modifier.startsWith(":") ? Number(modifier.slice(1)) : undefined };
}

function checkNames(parts: readonly Part[]): void {
  const seen = new Set<string>();
  for (const part of parts) {
    if (typeof part === "string") continue;
    for (const { name } of part.variables) {
      if (seen.has(name)) throw new Error(`${part.text} at character ${part.at} names "${name}" a second time`);
      seen.add(name);
    }
  }
}
