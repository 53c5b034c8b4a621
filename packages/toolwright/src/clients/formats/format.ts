import type { Json } from "@toolwright/engine";

/** How a configuration file is written. Not every client that has JSON takes comments in it, or a comma after the last element. */
export type FormatName = "json" | "commented json" | "plain json" | "toml" | "yaml";

/** Reads and edits configuration files of one kind. Texts have no byte order mark. */
export interface Format {
  /** The value of a text; an empty text is an empty object. Throws `SyntaxFault`. */
  readonly parse: (text: string) => unknown;
  /** The text with a value put where the path leads; everything else stays as it stands. */
  readonly put: (text: string, path: readonly string[], value: Json) => string;
  /** The text without what stands where the path leads. */
  readonly remove: (text: string, path: readonly string[]) => string;
  /** Where the plain values of a text stand that parses. */
  readonly scalars: (text: string) => readonly Scalar[];
}

/** A plain value of a text, as it is read, and where it stands with its quotes. */
export interface Scalar {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A text that is not what its format wants. */
export class SyntaxFault extends Error {
  readonly line: number;
  readonly column: number;

  constructor(reason: string, line: number, column: number) {
    super(`line ${line}, column ${column}: ${reason}`);
    this.name = "SyntaxFault";
    this.line = line;
    this.column = column;
  }
}

/** A text that is right, but written in a way that cannot be edited without taking something apart. */
export class CannotEdit extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "CannotEdit";
  }
}

/** Where an offset of a text lies. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** What a text breaks its lines with. */
export const endingOf = (text: string): "\r\n" | "\n" => (/\r\n/.test(text) ? "\r\n" : "\n");

/** What stands where a path leads in a value; undefined = nothing. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    root,
  );
}
