import type { Language } from "@toolwright/kit/syntax";

/** Something that makes a function more complex, and where. */
export interface Increment {
  readonly metric: "cyclomatic" | "cognitive";
  readonly line: number;
  /** How much it adds. */
  readonly adds: number;
  /** Such as "if", "else" or "&&". */
  readonly reason: string;
  /** How many levels deep it lies, where that adds to the cognitive complexity. */
  readonly nesting?: number;
}

/** Halstead's counts, and what follows from them. */
export interface Halstead {
  readonly distinct_operators: number;
  readonly distinct_operands: number;
  readonly operators: number;
  readonly operands: number;
  readonly volume: number;
  readonly difficulty: number;
  readonly effort: number;
}

/** What was measured of one function. */
export interface FunctionMeasures {
  /** With the names of what it lies in, such as `Stack.push`. */
  readonly name: string;
  readonly line: number;
  readonly end_line: number;
  readonly cyclomatic: number;
  readonly cognitive: number;
  /** How deep control structures lie in each other. */
  readonly nesting: number;
  readonly parameters: number;
  /** From the first line to the last. */
  readonly lines: number;
  /** Those with code on them. */
  readonly code_lines: number;
  readonly halstead: Halstead;
  /** 0 (bad) to 100. */
  readonly maintainability: number;
  /** In the order of the lines. */
  readonly increments: readonly Increment[];
}

/** What was measured of one file. */
export interface FileMeasures {
  readonly language: Language;
  readonly lines: number;
  readonly code_lines: number;
  readonly comment_lines: number;
  readonly halstead: Halstead;
  readonly maintainability: number;
  readonly functions: readonly FunctionMeasures[];
  /** The line of the first thing that the grammar does not know; what is around it is measured all the same. */
  readonly error_line?: number;
  /** The first line of conditional code that was left out, for it does not fit together with the branch that is measured. */
  readonly left_out_line?: number;
}
