import type { Language } from "@toolwright/kit/syntax";
import type { SkippedFile } from "../project/project.js";

/** Selects the files and the period of a hotspot analysis. */
export interface HotspotOptions {
  /** A folder or file, as the caller gave it. */
  readonly path: string;
  readonly period_days: number;
  /** The number of functions that get a refactoring brief. */
  readonly functions: number;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** An author, and their share of something, from 0 to 1. */
export interface Share {
  readonly name: string;
  readonly share: number;
}

/** The complexity and churn of a file. */
export interface HotspotFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly language: Language;
  readonly lines: number;
  readonly code_lines: number;
  readonly functions: number;
  /** The cognitive complexity: the sum over the functions, with nested ones counted once. */
  readonly complexity: number;
  /** `complexity / (complexity + 50)`: 0 to 1. */
  readonly complexity_score: number;
  /** The churn score in the period: 0 to 1; 0 = not changed. */
  readonly churn: number;
  readonly commits: number;
  /** `100 · complexity_score · churn`; without history `100 · complexity_score`. */
  readonly score: number;
  /** By commits in the period, most first. */
  readonly authors: readonly Share[];
  /** The smallest number of authors with more than half of the changed lines; 0 = not changed. */
  readonly bus_factor: number;
  readonly last_modified?: string;
}

/** A part of a function that should become a function of its own. */
export interface Step {
  /** Such as `the body of the "for"`. */
  readonly what: string;
  readonly line: number;
  readonly end_line: number;
  /** The cognitive complexity that is removed, and that of the new function. */
  readonly takes: number;
  readonly becomes: number;
  /** The cognitive complexity that remains after this step and those before it. */
  readonly leaves: number;
  /** How the part leaves the function: the caller needs a condition for each, which `leaves` includes. */
  readonly jumps?: readonly string[];
  readonly advice: string;
}

/** What one should know before refactoring a function. */
export interface FunctionBrief {
  readonly path: string;
  readonly function: string;
  readonly line: number;
  readonly end_line: number;
  readonly cyclomatic: number;
  readonly cognitive: number;
  readonly nesting: number;
  readonly parameters: number;
  /** `cognitive · churn` of its file. Functions are ranked by it. */
  readonly weight: number;
  /** What to extract, in this order. */
  readonly steps: readonly Step[];
  /** What adds to the cognitive complexity: by line, and summed up by reason, largest first. */
  readonly increments: readonly { readonly line: number; readonly adds: number; readonly reason: string }[];
  readonly reasons: readonly { readonly reason: string; readonly times: number; readonly adds: number }[];
  /** The calls in its own file. */
  readonly callers: readonly { readonly caller: string; readonly line: number }[];
  /** Who wrote its current lines; empty if git does not know. */
  readonly authors: readonly Share[];
  readonly last_change?: string;
  /** The number of its lines that were written in the period. */
  readonly recent_lines?: number;
  /** Files that change together with its file. */
  readonly coupled: readonly { readonly path: string; readonly degree: number }[];
  readonly tests: readonly TestOfFunction[];
}

/** A test file that covers a function. */
export interface TestOfFunction {
  readonly path: string;
  /** Whether it imports the file, calls a function of that name, or both. A call alone may be of another function. */
  readonly by: "imports and calls" | "imports" | "calls";
}

/** The result of a hotspot analysis. */
export interface Hotspots {
  /** Highest score first, without tests. */
  readonly files: readonly HotspotFile[];
  readonly briefs: readonly FunctionBrief[];
  /** `complexity`: there is no history, so the score does not include churn. */
  readonly basis: "complexity and churn" | "complexity";
  readonly period_days: number;
  readonly is_shallow: boolean;
  /** Notes on how to read the numbers. */
  readonly remarks: readonly string[];
  readonly tests: number;
  readonly skipped: readonly SkippedFile[];
}
