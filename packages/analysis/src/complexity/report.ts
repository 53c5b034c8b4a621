import type { Language } from "@toolwright/kit/syntax";
import type { FunctionMeasures, Increment } from "../metrics/measures.js";
import type { SkippedFile } from "../project/project.js";
import type { Metric, Severity } from "./violations.js";

/** A function and where it is. */
export interface MeasuredFunction {
  /** As callers may give it to other tools. */
  readonly file: string;
  readonly measures: FunctionMeasures;
  /** Which one it is of those in its file that have its name, from 1. */
  readonly ordinal: number;
}

/** How something stands against the baseline. */
export type BaselineState = "new" | "updated" | "unchanged";

/** A function that is above a threshold. */
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
  /** Only where there is a baseline. */
  readonly baseline_state?: BaselineState;
  /** What adds up to the value, line by line; only where it is to be explained. */
  readonly increments?: readonly Omit<Increment, "metric">[];
  /** How many more there are. */
  readonly increments_left?: number;
}

/** A violation and the function that it is of. */
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
  /** How many files were read anew, and of how many all was known. */
  readonly files_read: number;
  readonly files_known: number;
}

/** One of the most complex functions. */
export interface Hotspot {
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly end_line: number;
  readonly cyclomatic: number;
  readonly cognitive: number;
}

/** A file in the order of how much it asks for attention. */
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
export interface Worse {
  readonly file: string;
  readonly function: string;
  readonly line: number;
  readonly metric: Metric;
  readonly was: number;
  readonly is: number;
}

/** How a project stands against a commit. */
export interface Baseline {
  readonly revision: string;
  readonly commit: string;
  readonly worse: readonly Worse[];
  /** How many functions that is: one may be worse by both metrics. */
  readonly worse_functions: number;
  /** How many functions have become simpler, and how many are gone. */
  readonly better: number;
  readonly removed: number;
}

/** All that was found out about the complexity of a project. */
export interface ComplexityReport {
  readonly summary: Summary;
  /** In the order of their files and lines. */
  readonly functions: readonly MeasuredFunction[];
  /** The worst first. */
  readonly violations: readonly FoundViolation[];
  readonly hotspots: readonly Hotspot[];
  readonly ranking?: { readonly requested: number; readonly rankings: readonly RankedFile[] };
  readonly baseline?: Baseline;
  /** With paths as callers may give them to other tools. */
  readonly skipped: readonly SkippedFile[];
  readonly left_out: { readonly generated: number; readonly vendored: number };
}
