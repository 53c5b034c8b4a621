import { goesUp, lowerHost, normalizeEscapes } from "./uri.js";
import type { Expression, Part, Variable } from "./uri-template-syntax.js";

const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%";
const RESERVED = ":/?#[]@!$&'()*+,;=";
// An expansion would escape these, but people and models write them as they are, and nothing is parted by them.
const HARMLESS = ":@!$'()*+";

/** What a match found: names and their decoded values. */
export type Found = readonly (readonly [name: string, value: string | string[]])[];

/** A stretch of a URI that an expression may have written: a first character, then one or more of the allowed ones. */
export interface Stretch {
  readonly first: string;
  /** By character code. */
  readonly allowed: Uint8Array;
  /** How many decoded characters it has at most. */
  readonly most: number | undefined;
  /** The step to go on with where the stretch is absent; undefined = it may not be. */
  readonly otherwise: number | undefined;
  /** Reads what stands behind the first character; undefined = the expression cannot have written that. */
  read(raw: string): Found | undefined;
}

/** What a URI must have next: exactly this text, or a stretch. */
export type Step = string | Stretch;

/** Turns a template into what a URI must have, in order; throws where two expressions could not be told apart. */
export function toSteps(parts: readonly Part[]): Step[] {
  const joined = joinNamed(normalizeLiterals(parts));
  const steps: Step[] = [];
  for (const [index, part] of joined.entries()) {
    if (typeof part === "string") steps.push(part);
    else {
      const characters = charactersOf(part, neighboursOf(joined, index));
      steps.push(...toStretches(part, steps.length, characters, isRooted(part, joined[index - 1])));
    }
  }
  return steps;
}

/** Literals as they look in a normalised URI. */
function normalizeLiterals(parts: readonly Part[]): Part[] {
  let isInAuthority = false;
  let named = "";
  return parts.map((part, index) => {
    if (typeof part !== "string") {
      isInAuthority &&= part.operator.first === "" || part.operator.first === ".";
      return part;
    }
    const literal = normalizeEscapes(part);
    const [start = "", scheme = "", slashes] =
      (index === 0 && /^([A-Za-z][A-Za-z0-9+.-]*:)(\/\/)?/.exec(literal)) || [];
    isInAuthority ||= slashes !== undefined;
    named ||= scheme;
    const rest = literal.slice(start.length);
    if (!isInAuthority) return scheme.toLowerCase() + rest;
    const end = rest.search(/[/?#]/);
    isInAuthority = end === -1;
    const authority = isInAuthority ? rest : rest.slice(0, end);
    return `${scheme.toLowerCase()}${slashes ?? ""}${lowerHost(named, authority)}${rest.slice(authority.length)}`;
  });
}

/** `{?a}{&b}` as `{?a,b}`: the members of a query come in any order. */
function joinNamed(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part !== "string" && typeof last === "object" && continues(last, part))
      joined[joined.length - 1] = { ...last, variables: [...last.variables, ...part.variables] };
    else joined.push(part);
  }
  return joined;
}

function continues(before: Expression, after: Expression): boolean {
  return before.operator.named && after.operator.named && after.operator.first === before.operator.separator;
}

/** The expressions that follow with no literal between; all but the last of them may be absent. */
function neighboursOf(parts: readonly Part[], index: number): Expression[] {
  const rest = parts.slice(index + 1);
  const end = rest.findIndex((part) => typeof part === "string");
  return (end === -1 ? rest : rest.slice(0, end)).filter((part) => typeof part !== "string");
}

/** The characters that a value may have, so that the neighbours can be told from it. */
function charactersOf(expression: Expression, neighbours: readonly Expression[]): string {
  const { operator, variables } = expression;
  const list = variables.findIndex(({ explode }) => explode);
  if (!operator.named && list !== -1 && list < variables.length - 1)
    throw new Error(
      `${expression.text} at character ${expression.at} has variables behind "${variables[list]?.name}*" ` +
        "that cannot be told apart from its members: put it last",
    );
  let characters = UNRESERVED + (operator.reserved ? RESERVED : HARMLESS);
  if (operator.named) characters += `=${operator.separator}`;
  else if (operator.first === "." || variables.length > 1) characters = characters.replace(operator.separator, "");
  for (const { operator: next, text, at } of neighbours) {
    const isOpen = characters.includes(next.first) || (list !== -1 && operator.separator === next.first);
    // A query or a fragment may follow a path that has reserved characters; that path then ends where they begin.
    if (operator.reserved && operator.first === "" && (next.first === "?" || next.first === "#"))
      characters = characters.replace(next.first, "");
    else if (isOpen)
      throw new Error(
        `${expression.text} and ${text} at character ${at} cannot be told apart: put a literal character between them`,
      );
  }
  return characters;
}

/** Whether a value stands below something, and so may not begin at the root itself: `/etc` behind `file:///docs/`. */
function isRooted({ operator }: Expression, before: Part | undefined): boolean {
  if (operator.named) return false;
  return !operator.reserved || (typeof before === "string" && /[^/:]\/$|:\/\/.*\/$/.test(before));
}

function toStretches(expression: Expression, index: number, characters: string, isBelow: boolean): Stretch[] {
  const { operator, variables } = expression;
  if (operator.named) {
    const read = (raw: string): Found | undefined => readMembers(raw, expression);
    return [{ first: operator.first, allowed: toTable(characters), most: undefined, otherwise: index + 1, read }];
  }
  const allowed = toTable(characters);
  return variables.map((variable, place) => ({
    first: place === 0 ? operator.first : operator.separator,
    allowed: variable.explode ? toTable(characters + operator.separator) : allowed,
    most: variable.most,
    otherwise: place === 0 && operator.first === "" ? undefined : index + variables.length,
    read: (raw) => readValue(raw, variable, operator.separator, isBelow),
  }));
}

/** Few are different, and each costs as much as the rest of a template. */
const tables = new Map<string, Uint8Array>();

function toTable(characters: string): Uint8Array {
  const known = tables.get(characters);
  if (known !== undefined) return known;
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  tables.set(characters, table);
  return table;
}

function readValue(raw: string, variable: Variable, separator: string, isBelow: boolean): Found | undefined {
  const values = (variable.explode ? raw.split(separator) : [raw]).map(decode);
  const isWhole = values.every((value) => value !== undefined && value !== "" && !(isBelow && /^[/\\]/.test(value)));
  return isWhole ? [[variable.name, variable.explode ? (values as string[]) : (values[0] as string)]] : undefined;
}

function readMembers(raw: string, { operator, variables }: Expression): Found | undefined {
  const known = new Map(variables.map((variable) => [normalizeEscapes(variable.name), variable]));
  const found = new Map<string, string | string[]>();
  for (const member of raw.split(operator.separator)) {
    const [name = "", text, ...more] = member.split("=");
    const variable = known.get(name);
    const value = text === undefined && operator.ifEmpty !== "" ? undefined : decode(text ?? "");
    if (variable === undefined || value === undefined || more.length > 0) return undefined;
    if (variable.most !== undefined && Array.from(value).length > variable.most) return undefined;
    const before = found.get(variable.name);
    if (Array.isArray(before)) before.push(value);
    else if (before === undefined) found.set(variable.name, variable.explode ? [value] : value);
    else return undefined;
  }
  return [...found];
}

/** Undefined for what is no UTF-8, and for what would lead out of a folder. */
function decode(raw: string): string | undefined {
  try {
    const value = decodeURIComponent(raw);
    return goesUp(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
