import type { Language } from "@toolwright/kit/syntax";

/** What makes a function more complex, and where. */
export interface Increment {
  readonly metric: "cyclomatic" | "cognitive";
  readonly line: number;
  /** How much it adds. */
  readonly adds: number;
  /** Such as "if", "else" or "&&". */
  readonly reason: string;
  /** The nesting level, if it adds to the cognitive complexity. */
  readonly nesting?: number;
}

/** Halstead's counts and measures. */
export interface Halstead {
  readonly distinct_operators: number;
  readonly distinct_operands: number;
  readonly operators: number;
  readonly operands: number;
  readonly volume: number;
  readonly difficulty: number;
  readonly effort: number;
}

/** The measurements of one function. */
export interface FunctionMeasures {
  /** Qualified with the names of its containers, such as `Stack.push`. */
  readonly name: string;
  readonly line: number;
  readonly end_line: number;
  readonly cyclomatic: number;
  readonly cognitive: number;
  /** The maximum nesting of control structures. */
  readonly nesting: number;
  readonly parameters: number;
  /** All lines, from the first to the last. */
  readonly lines: number;
  /** Lines with code. */
  readonly code_lines: number;
  readonly halstead: Halstead;
  /** 0 (bad) to 100. */
  readonly maintainability: number;
  /** By line. */
  readonly increments: readonly Increment[];
}

/** The measurements of one file. */
export interface FileMeasures {
  readonly language: Language;
  readonly lines: number;
  readonly code_lines: number;
  readonly comment_lines: number;
  readonly halstead: Halstead;
  readonly maintainability: number;
  readonly functions: readonly FunctionMeasures[];
  /** The line of the first syntax error; the rest of the file is measured. */
  readonly error_line?: number;
  /** The first line of conditional code that was left out, because its brackets do not match those of the measured branch. */
  readonly left_out_line?: number;
}
