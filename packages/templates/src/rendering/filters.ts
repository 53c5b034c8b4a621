/** A value in a template. */
export type Value = string | boolean | number | readonly Value[] | null | undefined;

const ESCAPED = /[\p{Cc}\u2028\u2029\ufeff]/gu;

/** A text in double quotes, as JSON, TOML, YAML and most languages read it. */
export function quote(value: Value): string {
  return JSON.stringify(textOf(value)).replaceAll(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A literal that JSON, TOML and YAML read: a text in quotes, a number, true or false, or a list of them. */
export function literal(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  return typeof value === "boolean" || typeof value === "number" ? String(value) : quote(value);
}

/** A text for XML and HTML, also in attributes. */
const xml = (value: Value): string =>
  textOf(value)
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    // XML cannot represent these.
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, "");

/** One word for a shell, whatever it contains. */
export const shell = (value: Value): string => `'${textOf(value).replaceAll("\0", "").replaceAll("'", `'\\''`)}'`;

/** A text on one line: line ends become spaces. */
const oneLine = (value: Value): string => textOf(value).replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");

/** A text for a variable or a recipe of a Makefile. */
const make = (value: Value): string => oneLine(value).replaceAll("$", "$$$$").replaceAll("#", "\\#");

/** A text that Markdown shows literally. */
const markdown = (value: Value): string =>
  oneLine(value)
    .replaceAll(/[\\`*_[\]<>|~]/g, "\\$&")
    .replace(
      /^(\s*)([#+=-]|\d+[.)])/,
      (_, space: string, marker: string) => `${space}${marker.slice(0, -1)}\\${marker.at(-1)}`,
    );

/** Filters that escape a value for a format. */
export const ESCAPES: Readonly<Record<string, (value: Value) => string>> = {
  quote,
  json: literal,
  toml: literal,
  yaml: literal,
  xml,
  shell,
  make,
  markdown,
  one_line: oneLine,
};

function textOf(value: Value): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return value === null || value === undefined ? "" : String(value);
}

/** Splits a name into words: at anything but letters and digits, and at humps of camel case. */
function wordsOf(name: string): readonly string[] {
  return (
    name
      .normalize("NFC")
      .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
      .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

const lower = (word: string): string => word.toLowerCase();
const upper = (word: string): string => word.toUpperCase();
const capital = (word: string): string => {
  const [first = "", ...rest] = word;
  return upper(first) + lower(rest.join(""));
};

/** Filters that change the case of a name. */
export const NAME_CASES: Readonly<Record<string, (name: string) => string>> = {
  snake: (name) => wordsOf(name).map(lower).join("_"),
  kebab: (name) => wordsOf(name).map(lower).join("-"),
  pascal: (name) => wordsOf(name).map(capital).join(""),
  camel: (name) =>
    wordsOf(name)
      .map((word, index) => (index === 0 ? lower(word) : capital(word)))
      .join(""),
  constant: (name) => wordsOf(name).map(upper).join("_"),
  title: (name) => wordsOf(name).map(capital).join(" "),
};
