/** A problem in a pattern file, with its position and a suggestion. */
export interface PatternDiagnostic {
  readonly file: string;
  /** 1-based, like the column. */
  readonly line: number;
  readonly column: number;
  /** The path of the field, such as `threat_pattern.mitigations[0].id`; empty for the whole file. */
  readonly path: string;
  /** A pattern with errors is not used. */
  readonly severity: "error" | "warning";
  readonly message: string;
  /** What to do. */
  readonly suggestion: string;
}

/** The path of a field: names and indexes. */
export type FieldPath = readonly (string | number)[];

/** A problem whose position in the file is not known yet. */
export interface FieldDiagnostic extends Pick<PatternDiagnostic, "severity" | "message" | "suggestion"> {
  readonly path: FieldPath;
  /** Whether the problem is the name of the field, and not its value. */
  readonly isOfKey?: boolean;
}

/** Formats a path: `a.b[0].c`. */
export const formatPath = (path: FieldPath): string =>
  path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );

/** A problem that makes the pattern unusable. */
export const errorAt = (path: FieldPath, message: string, suggestion: string): FieldDiagnostic => ({
  path,
  severity: "error",
  message,
  suggestion,
});

/** A recommendation. */
export const warningAt = (path: FieldPath, message: string, suggestion: string): FieldDiagnostic => ({
  path,
  severity: "warning",
  message,
  suggestion,
});

/** Formats a problem as one line, like compilers do. */
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

/** A problem of a whole file or folder. */
export const fileError = (file: string, message: string, suggestion: string): PatternDiagnostic => ({
  file,
  line: 1,
  column: 1,
  path: "",
  severity: "error",
  message,
  suggestion,
});
