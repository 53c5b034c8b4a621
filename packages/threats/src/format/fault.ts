/** Something that is wrong with a pattern, where exactly, and what to do about it. */
export interface PatternFault {
  readonly file: string;
  /** From 1, like the column. */
  readonly line: number;
  readonly column: number;
  /** Which part it is about, such as `threat_pattern.mitigations[0].id`; empty for the file as a whole. */
  readonly path: string;
  /** With an error the pattern is not used; a warning is advice. */
  readonly severity: "error" | "warning";
  readonly message: string;
  /** The next step. */
  readonly next: string;
}

/** The names and places that lead to a part of a pattern. */
export type PartPath = readonly (string | number)[];

/** A fault before it is known where the part stands in its file. */
export interface PartFault extends Pick<PatternFault, "severity" | "message" | "next"> {
  readonly path: PartPath;
  /** Whether the name of the part is at fault, and not what it holds. */
  readonly isOfKey?: boolean;
}

/** Writes down the way to a part: `a.b[0].c`. */
export const toPathText = (path: PartPath): string =>
  path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );

/** The pattern cannot be used. */
export const errorAt = (path: PartPath, message: string, next: string): PartFault => ({
  path,
  severity: "error",
  message,
  next,
});

/** The pattern can be used, and would be better otherwise. */
export const warningAt = (path: PartPath, message: string, next: string): PartFault => ({
  path,
  severity: "warning",
  message,
  next,
});

/** A fault as one line, as compilers write it. */
export const toFaultLine = ({ file, line, column, severity, path, message, next }: PatternFault): string =>
  `${file}:${line}:${column}: ${severity}: ${path === "" ? "" : `${path}: `}${message} ${next}`;

/** A fault of a file or folder as a whole. */
export const ofWhole = (file: string, message: string, next: string): PatternFault => ({
  file,
  line: 1,
  column: 1,
  path: "",
  severity: "error",
  message,
  next,
});
