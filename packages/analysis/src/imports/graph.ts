import type { ProjectFile } from "../project/project.js";

/** A file with its imports and declarations. */
export type LinkedFile = ProjectFile<"imports" | "outline">;

/** An import of one file by another. */
export interface Link {
  readonly from: string;
  readonly to: string;
  /** The line of the first import. */
  readonly line: number;
  /** A type-only import or the declaration of a submodule: it cannot close a cycle at run time. */
  readonly isWeak: boolean;
}

/** The import graph of a project. */
export interface ImportGraph {
  readonly files: readonly string[];
  readonly links: readonly Link[];
  /** External packages, and the files that import them. */
  readonly external: ReadonlyMap<string, ReadonlySet<string>>;
  /** Imports of files that should be in the project and are not. */
  readonly unresolved: readonly { readonly path: string; readonly line: number; readonly from: string }[];
}

/** The target of an import: files of the project, an external package, something missing, or nothing relevant. */
export type Target =
  | { readonly files: readonly string[]; readonly isWeak?: boolean }
  | { readonly external: string }
  | { readonly missing: true }
  | undefined;

/** Resolves the imports of one file, in their order. */
export type Resolver = (file: LinkedFile) => readonly Target[];
