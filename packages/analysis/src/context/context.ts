import type { FolderSize } from "./folders.js";
import type { Said } from "./project-kind.js";

/** A file on the map. */
export interface ContextFile {
  readonly path: string;
  readonly lines: number;
  readonly used_by: number;
  /** Each with its line in front. */
  readonly declares: readonly string[];
  /** How many more it declares. */
  readonly more?: number;
}

/** A map of a project that a model can take in at once. */
export interface Context {
  readonly project: string;
  readonly kinds: readonly string[];
  readonly languages: Readonly<Record<string, number>>;
  readonly manifests: readonly Said[];
  readonly folders: readonly FolderSize[];
  readonly files: readonly ContextFile[];
  readonly left_out: { readonly files: number; readonly declarations: number };
  /** What to ask for next, where something is left out. */
  readonly hint?: string;
}
