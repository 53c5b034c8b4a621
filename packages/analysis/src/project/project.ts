import { setMaxListeners } from "node:events";
import type { Call } from "@toolwright/engine";
import type { Language } from "@toolwright/kit/syntax";
import type { Fact, Facts } from "../facts/facts.js";

/** Which files of a project are wanted, and what is wanted of each. */
export interface ProjectWish<Wanted extends Fact> {
  /** A folder or one file, as the caller gave it. */
  readonly path: string;
  readonly wanted: readonly Wanted[];
  /** Only these languages; undefined = all. */
  readonly languages?: readonly Language[] | undefined;
  /** Globs relative to the project; undefined or empty = all. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Also the files that a program has made or that others have written; they are told apart in any case. */
  readonly all?: boolean | undefined;
  /** What is kept of a file in memory; undefined = all of it. Of many files, what is not needed should go. */
  readonly trim?: ((facts: Pick<Facts, Wanted>) => Pick<Facts, Wanted>) | undefined;
}

/** What a file is, by its path and its first lines. */
export type Origin = "own" | "test" | "generated" | "vendored";

/** A file of a project, and what was wanted of it. */
export interface ProjectFile<Wanted extends Fact> {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** As callers may give it to other tools. */
  readonly shown: string;
  /** The real path. */
  readonly place: string;
  readonly language: Language;
  readonly origin: Origin;
  readonly facts: Pick<Facts, Wanted>;
}

/** A file that is missing from the results, or only partly in them. */
export interface SkippedFile {
  readonly path: string;
  /** Such as "syntax error in line 3: the functions around it are measured" or "larger than 1 MiB". */
  readonly reason: string;
  readonly line?: number;
}

/** The files of a project that were wanted. */
export interface Project<Wanted extends Fact> {
  /** The real path of the folder; of a single file, the folder it is in. */
  readonly root: string;
  /** In the order of their paths. */
  readonly files: readonly ProjectFile<Wanted>[];
  readonly skipped: readonly SkippedFile[];
  /** How many were left out as generated or vendored. */
  readonly left_out: { readonly generated: number; readonly vendored: number };
  /** How many were read anew, and of how many all was known. */
  readonly read: number;
  readonly known: number;
}

/** The part of a call that reading a project needs. */
export type ProjectCall = Pick<Call, "signal" | "supports" | "roots" | "progress">;

/** Makes a call fit for work of which much goes on at once: Node takes it for a leak when many wait for one signal. */
export function widen({ signal }: ProjectCall): void {
  setMaxListeners(0, signal);
}

/** What is said where no file could be looked at, for that is no good news. `narrowing` are the arguments that may be at fault. */
export const nothingFound = (skipped: number, narrowing = "project_path, include and exclude"): string =>
  skipped > 0
    ? "No source file could be read: look at what was skipped."
    : `No source file was found that fits: look at ${narrowing}.`;
