/** A value that a template was given. */
export type Value = string | boolean | number | readonly Value[] | null | undefined;

const ESCAPED = /[\p{Cc}\u2028\u2029\ufeff]/gu;

/** A text in double quotes, as JSON, TOML, YAML and most languages read it. */
export function quote(value: Value): string {
  return JSON.stringify(textOf(value)).replaceAll(
    ESCAPED,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A value as a literal of JSON, TOML and YAML alike: a text in quotes, a number, true or false, or a list of them. */
export function literal(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  return typeof value === "boolean" || typeof value === "number" ? String(value) : quote(value);
}

/** A text as XML and HTML read it, in attributes too. */
export const xml = (value: Value): string =>
  textOf(value)
    .replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
    // XML has no way to write these.
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, "");

/** One word of a shell, whatever is in it. */
export const shell = (value: Value): string => `'${textOf(value).replaceAll("\0", "").replaceAll("'", `'\\''`)}'`;

/** A text on one line: what would end the line becomes a space. */
export const oneLine = (value: Value): string => textOf(value).replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");

/** A text in the value of a variable of make, or in a recipe. */
export const make = (value: Value): string => oneLine(value).replaceAll("$", "$$$$").replaceAll("#", "\\#");

/** A text that Markdown shows as it is. */
export const markdown = (value: Value): string =>
  oneLine(value)
    .replaceAll(/[\\`*_[\]<>|~]/g, "\\$&")
    .replace(
      /^(\s*)([#+=-]|\d+[.)])/,
      (_, space: string, sign: string) => `${space}${sign.slice(0, -1)}\\${sign.at(-1)}`,
    );

function textOf(value: Value): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return value === null || value === undefined ? "" : String(value);
}
