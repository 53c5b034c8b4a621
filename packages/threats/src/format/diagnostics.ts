/** Something that is wrong with a pattern, where exactly, and what to do about it. */
export interface PatternDiagnostic {
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
  readonly suggestion: string;
}

/** The names and places that lead to a part of a pattern. */
export type FieldPath = readonly (string | number)[];

/** A fault before it is known where the part stands in its file. */
export interface FieldDiagnostic extends Pick<PatternDiagnostic, "severity" | "message" | "suggestion"> {
  readonly path: FieldPath;
  /** Whether the name of the part is at fault, and not what it holds. */
  readonly isOfKey?: boolean;
}

/** Writes down the way to a part: `a.b[0].c`. */
export const formatPath = (path: FieldPath): string =>
  path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );

/** The pattern cannot be used. */
export const errorAt = (path: FieldPath, message: string, suggestion: string): FieldDiagnostic => ({
  path,
  severity: "error",
  message,
  suggestion,
});

/** The pattern can be used, and would be better otherwise. */
export const warningAt = (path: FieldPath, message: string, suggestion: string): FieldDiagnostic => ({
  path,
  severity: "warning",
  message,
  suggestion,
});

/** A fault as one line, as compilers write it. */
export const formatDiagnostic = ({
  file,
  line,
  column,
  severity,
  path,
  message,
  suggestion,
}: PatternDiagnostic): string =>
  `${file}:${line}:${column}: ${severity}: ${path === "" ? "" : `${path}: `}${message} ${suggestion}`;

/** A fault of a file or folder as a whole. */
export const fileError = (file: string, message: string, suggestion: string): PatternDiagnostic => ({
  file,
  line: 1,
  column: 1,
  path: "",
  severity: "error",
  message,
  suggestion,
});
