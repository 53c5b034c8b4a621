import type { ProjectFile } from "../project/project.js";

/** A file of which the imports are known. */
export type LinkedFile = ProjectFile<"imports" | "outline">;

/** That one file uses another. */
export interface Link {
  readonly from: string;
  readonly to: string;
  /** The line of the first import. */
  readonly line: number;
  /** It takes only types, or declares a part of itself, and so cannot close a circle when the program runs. */
  readonly isWeak: boolean;
}

/** What the files of a project use of each other. */
export interface ImportGraph {
  readonly files: readonly string[];
  readonly links: readonly Link[];
  /** Packages from elsewhere, and the files that use them. */
  readonly external: ReadonlyMap<string, ReadonlySet<string>>;
  /** Imports of something that should be in the project and is not. */
  readonly unresolved: readonly { readonly path: string; readonly line: number; readonly from: string }[];
}

/** What an import leads to: files of the project, a package from elsewhere, something that is missing, or nothing of interest. */
export type Target =
  | { readonly files: readonly string[]; readonly isWeak?: boolean }
  | { readonly external: string }
  | { readonly missing: true }
  | undefined;

/** Finds what the imports of one file lead to, in their order. */
export type Resolver = (file: LinkedFile) => readonly Target[];
