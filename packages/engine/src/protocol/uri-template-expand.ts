import type { Expression, Operator, Part, Variable } from "./uri-template-syntax.js";

/** What a variable may stand for: a text, a list, or names with texts; an empty list or undefined is left out. */
type TemplateValue = string | readonly string[] | Readonly<Record<string, string>> | undefined;

/** The values of a template, by the name of the variable. */
export type TemplateValues = Readonly<Record<string, TemplateValue>>;

/** Writes a template out with these values (RFC 6570, section 3). */
export function expandParts(parts: readonly Part[], values: TemplateValues): string {
  return parts.map((part) => (typeof part === "string" ? encode(part, true) : expandExpression(part, values))).join("");
}

function expandExpression({ operator, variables }: Expression, values: TemplateValues): string {
  const written = variables.flatMap((variable) => {
    // Own members only: a variable may be called "constructor".
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    return value === undefined ? [] : expandVariable(operator, variable, value);
  });
  return written.length === 0 ? "" : operator.first + written.join(operator.separator);
}

/** What a variable adds, to be put between separators. */
function expandVariable(operator: Operator, variable: Variable, value: NonNullable<TemplateValue>): string[] {
  const { name, explode, most } = variable;
  const write = (text: string): string => encodeValue(text, operator, name);
  const label = (key: string, text: string): string =>
    operator.named ? key + (text === "" ? operator.ifEmpty : `=${text}`) : text;
  if (typeof value === "string")
    return [label(name, write(most === undefined ? value : Array.from(value).slice(0, most).join("")))];
  if (most !== undefined) throw new Error(`"${name}:${most}" takes the beginning of a text, but its value is a list`);
  if (isList(value)) {
    if (explode) return value.map((text) => label(name, write(text)));
    return value.length === 0 ? [] : [label(name, value.map(write).join(","))];
  }
  const pairs = Object.entries(value).map(([key, text]) => [write(key), write(text)] as const);
  if (explode) return pairs.map(([key, text]) => (operator.named ? label(key, text) : `${key}=${text}`));
  return pairs.length === 0 ? [] : [label(name, pairs.flat().join(","))];
}

/** `Array.isArray` alone does not tell a read-only list from the other values. */
function isList(value: readonly string[] | Readonly<Record<string, string>>): value is readonly string[] {
  return Array.isArray(value);
}

function encodeValue(text: string, operator: Operator, name: string): string {
  if (/\p{Cs}/u.test(text)) throw new Error(`the value of "${name}" has half of a character (a lone surrogate)`);
  return encode(text, operator.reserved);
}

function encode(text: string, keepsReserved: boolean): string {
  const kept = keepsReserved ? /%[\dA-Fa-f]{2}|[\w.~:/?#[\]@!$&'()*+,;=-]+/g : /[\w.~-]+/g;
  let written = "";
  let at = 0;
  for (const { 0: found, index } of text.matchAll(kept)) {
    written += encodeAll(text.slice(at, index)) + found;
    at = index + found.length;
  }
  return written + encodeAll(text.slice(at));
}

function encodeAll(text: string): string {
  // The five that encodeURIComponent leaves alone are reserved in RFC 3986.
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
