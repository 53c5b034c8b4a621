import { setMaxListeners } from "node:events";
import type { Call } from "@toolwright/engine";
import type { OnProgress } from "@toolwright/kit/progress";
import type { Language } from "@toolwright/kit/syntax";
import type { Fact, Facts } from "../facts/facts.js";

/** Cancellation and roots of a call, and where its progress goes. */
export interface AnalysisCall extends Pick<Call, "signal" | "supports" | "roots"> {
  readonly onProgress?: OnProgress | undefined;
}

/** Prepares a call for many concurrent operations: Node warns of a leak if many listen to one signal. */
export function allowManyListeners({ signal }: AnalysisCall): void {
  setMaxListeners(0, signal);
}

/** Selects the files of a project. */
export interface SourceQuery {
  /** A folder or file, as the caller gave it. */
  readonly path: string;
  /** Only these languages; all by default. */
  readonly languages?: readonly Language[] | undefined;
  /** Globs relative to the project; none = all files. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Includes generated and vendored files. */
  readonly all?: boolean | undefined;
}

/** Selects the files of a project, and the facts to read from each. */
export interface ProjectQuery<Wanted extends Fact> extends SourceQuery {
  readonly wanted: readonly Wanted[];
  /** Drops what is not needed of each file, to save memory. */
  readonly trim?: ((facts: Pick<Facts, Wanted>) => Pick<Facts, Wanted>) | undefined;
}

/** Where a file comes from, by its path, its attributes and its first lines. */
export type Origin = "own" | "test" | "generated" | "vendored";

/** A file of a project with its facts. */
export interface ProjectFile<Wanted extends Fact> {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** The path by which callers can give the file to other tools. */
  readonly displayPath: string;
  readonly realPath: string;
  readonly language: Language;
  readonly origin: Origin;
  readonly facts: Pick<Facts, Wanted>;
}

/** A file that is missing from the results, or only partly in them. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
  readonly line?: number;
}

/** The selected files of a project. */
export interface Project<Wanted extends Fact> {
  /** The real path of the folder; for a single file, the folder that contains it. */
  readonly root: string;
  /** Sorted by path. */
  readonly files: readonly ProjectFile<Wanted>[];
  readonly skipped: readonly SkippedFile[];
  /** How many files were left out as generated or vendored. */
  readonly left_out: { readonly generated: number; readonly vendored: number };
  /** How many files were read, and how many were unchanged since they were read before. */
  readonly read: number;
  readonly known: number;
}

/** Explains an analysis of nothing, which must not look like a good result. */
export const noSourceFiles = (skipped: number, filters = "the path, include and exclude"): string =>
  skipped > 0 ? "No source file could be read; see the skipped files." : `No source file was found. Check ${filters}.`;
