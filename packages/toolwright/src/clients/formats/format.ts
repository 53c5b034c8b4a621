import type { Json } from "@toolwright/engine";

/** The format of a configuration file. Some clients accept JSON only without comments or trailing commas. */
export type FormatName = "json" | "commented json" | "plain json" | "toml" | "yaml";

/** Reads and edits configuration files of one format. Texts have no byte order mark. */
export interface Format {
  /** Parses a text; an empty text is an empty object. Throws `SyntaxFault`. */
  readonly parse: (text: string) => unknown;
  /** Sets the value at a path; everything else stays unchanged. */
  readonly put: (text: string, path: readonly string[], value: Json) => string;
  /** Removes the value at a path. */
  readonly remove: (text: string, path: readonly string[]) => string;
  /** Finds the scalars of a valid text. */
  readonly scalars: (text: string) => readonly Scalar[];
}

/** A scalar with its position, including quotes. */
export interface Scalar {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A syntax error in a configuration file. */
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

/** A valid text that cannot be edited without changing something else. */
export class CannotEdit extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "CannotEdit";
  }
}

/** The line and column of an offset. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

/** The line ending of a text. */
export const endingOf = (text: string): "\r\n" | "\n" => (/\r\n/.test(text) ? "\r\n" : "\n");

/** The value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    root,
  );
}
