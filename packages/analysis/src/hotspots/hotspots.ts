import type { Language } from "@toolwright/kit/syntax";
import type { SkippedFile } from "../project/project.js";

/** Where hotspots are looked for. */
export interface HotspotsWish {
  /** A folder or one file, as the caller gave it. */
  readonly path: string;
  readonly period_days: number;
  /** For how many functions a brief is wanted. */
  readonly functions: number;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

/** Somebody who changed a file or wrote lines, and which part of it is theirs, from 0 to 1. */
export interface Share {
  readonly name: string;
  readonly share: number;
}

/** How complex a file is, and how often it changes. */
export interface HotspotFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly language: Language;
  readonly lines: number;
  readonly code_lines: number;
  readonly functions: number;
  /** The cognitive complexity of the file: the sum over its functions, those inside another counted once. */
  readonly complexity: number;
  /** `complexity / (complexity + 50)`: 0 to 1. */
  readonly complexity_score: number;
  /** The churn score of the period: 0 to 1; 0 = not changed. */
  readonly churn: number;
  readonly commits: number;
  /** `100 · complexity_score · churn`; without any history `100 · complexity_score`. */
  readonly score: number;
  /** By commits in the period, most first. */
  readonly authors: readonly Share[];
  /** How few authors hold more than half of the changed lines; 0 = not changed. */
  readonly bus_factor: number;
  readonly last_modified?: string;
}

/** A part of a function that should become a function of its own. */
export interface Step {
  /** Such as `the body of the "for"`. */
  readonly what: string;
  readonly line: number;
  readonly end_line: number;
  /** How much of the cognitive complexity goes with it, and what the new function would have. */
  readonly takes: number;
  readonly becomes: number;
  /** What is left of the function after this step and those before it. */
  readonly leaves: number;
  /** The ways in which the part leaves the function: the caller has a condition for each, which `leaves` counts. */
  readonly jumps?: readonly string[];
  readonly advice: string;
}

/** All that is worth knowing before a function is taken apart. */
export interface FunctionBrief {
  readonly path: string;
  readonly function: string;
  readonly line: number;
  readonly end_line: number;
  readonly cyclomatic: number;
  readonly cognitive: number;
  readonly nesting: number;
  readonly parameters: number;
  /** `cognitive · churn` of its file, by which functions are ranked. */
  readonly weight: number;
  /** What to do, in this order. */
  readonly steps: readonly Step[];
  /** What adds to the cognitive complexity, in the order of the lines, and the same by reason, the most first. */
  readonly increments: readonly { readonly line: number; readonly adds: number; readonly reason: string }[];
  readonly reasons: readonly { readonly reason: string; readonly times: number; readonly adds: number }[];
  /** Where it is called in its own file. */
  readonly callers: readonly { readonly caller: string; readonly line: number }[];
  /** Who wrote its lines as they are today; empty where git knows nothing of them. */
  readonly authors: readonly Share[];
  readonly last_change?: string;
  /** How many of its lines were written in the period. */
  readonly recent_lines?: number;
  /** Files that change together with its file. */
  readonly coupled: readonly { readonly path: string; readonly degree: number }[];
  readonly tests: readonly TestOfFunction[];
}

/** A test file that touches a function. */
export interface TestOfFunction {
  readonly path: string;
  /** Whether it imports the file, calls something of that name, or both; a call alone may mean another function. */
  readonly by: "imports and calls" | "imports" | "calls";
}

/** Where complexity and change come together. */
export interface Hotspots {
  /** Highest score first; tests are not ranked. */
  readonly files: readonly HotspotFile[];
  readonly briefs: readonly FunctionBrief[];
  /** `complexity`: there is no history, so the score says nothing of change. */
  readonly basis: "complexity and churn" | "complexity";
  readonly period_days: number;
  readonly is_shallow: boolean;
  /** What a reader must know to read the numbers right. */
  readonly remarks: readonly string[];
  readonly tests: number;
  readonly skipped: readonly SkippedFile[];
}
