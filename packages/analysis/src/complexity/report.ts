import type { Language } from "@toolwright/kit/syntax";
import type { FunctionMeasures, Increment } from "../metrics/measures.js";
import type { SkippedFile } from "../project/project.js";
import type { Metric, Severity } from "./violations.js";

/** A function and its file. */
export interface MeasuredFunction {
  /** The path by which callers can give the file to other tools. */
  readonly file: string;
  readonly measures: FunctionMeasures;
  /** Its number among the functions of this name in the file, from 1. */
  readonly ordinal: number;
}

/** How a violation compares to the baseline. */
export type BaselineState = "new" | "updated" | "unchanged";

/** A function above a threshold. */
export interface Violation {
  readonly severity: Severity;
  readonly rule: `${Metric}-complexity`;
  readonly message: string;
  readonly value: number;
  readonly threshold: number;
  readonly file: string;
  readonly line: number;
  readonly end_line: number;
  readonly function: string;
  /** Only with a baseline. */
  readonly baseline_state?: BaselineState;
  /** What adds up to the value, by line; only on request. */
  readonly increments?: readonly Omit<Increment, "metric">[];
  /** How many more increments there are. */
  readonly increments_left?: number;
}

/** A violation and its function. */
export interface FoundViolation {
  readonly violation: Violation;
  readonly of: MeasuredFunction;
}

/** The numbers of a whole project. */
export interface Summary {
  readonly total_files: number;
  readonly total_functions: number;
  readonly median_cyclomatic: number;
  readonly p90_cyclomatic: number;
  readonly max_cyclomatic: number;
  readonly median_cognitive: number;
  readonly p90_cognitive: number;
  readonly max_cognitive: number;
  readonly errors: number;
  readonly warnings: number;
  readonly technical_debt_hours: number;
  readonly languages: readonly { readonly language: Language; readonly files: number; readonly functions: number }[];
  /** How many files were read, and how many came from the cache. */
  readonly files_read: number;
  readonly files_known: number;
}

/** One of the most complex functions. */
export interface ComplexFunction {
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly end_line: number;
  readonly cyclomatic: number;
  readonly cognitive: number;
}

/** A file in the ranking. */
export interface RankedFile {
  readonly rank: number;
  readonly file: string;
  readonly function_count: number;
  readonly max_cyclomatic: number;
  readonly avg_cognitive: number;
  readonly halstead_effort: number;
  readonly total_score: number;
}

/** A function that has become more complex. */
export interface Regression {
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly metric: Metric;
  readonly was: number;
  readonly is: number;
}

/** A comparison with a commit. */
export interface Baseline {
  readonly revision: string;
  readonly commit: string;
  readonly worse: readonly Regression[];
  /** The number of functions in `worse`, where each can be listed for two metrics. */
  readonly worse_functions: number;
  /** The number of functions that have become simpler, and of those that were removed. */
  readonly better: number;
  readonly removed: number;
}

/** The result of a complexity analysis. */
export interface ComplexityReport {
  readonly summary: Summary;
  /** By file and line. */
  readonly functions: readonly MeasuredFunction[];
  /** Worst first. */
  readonly violations: readonly FoundViolation[];
  readonly hotspots: readonly ComplexFunction[];
  readonly ranking?: { readonly requested: number; readonly rankings: readonly RankedFile[] };
  readonly baseline?: Baseline;
  /** With paths by which callers can give the files to other tools. */
  readonly skipped: readonly SkippedFile[];
  readonly left_out: { readonly generated: number; readonly vendored: number };
}
