import { compileGlob } from "@toolwright/kit/files";
import type { ListedPattern } from "../library/listed-pattern.js";

/** Tells by the id of a pattern how much paths speak for it; those that nothing speaks for are left out. */
export type FileFit = (files: readonly string[]) => ReadonlyMap<string, number>;

/** Prepares the file patterns: a path that fits few of a hundred says more than one that fits many. Globs are read when paths come. */
export function createFileFit(patterns: readonly ListedPattern[]): FileFit {
  let read: readonly { readonly id: string; readonly fits: (file: string) => boolean }[] | undefined;
  return (files) => {
    const found = new Map<string, number>();
    if (files.length === 0) return found;
    read ??= patterns.map(({ id, file_patterns: globs }) => {
      const all = globs.map(fitsOf);
      return { id, fits: (file: string) => all.some((fits) => fits(file)) };
    });
    for (const file of files) {
      const path = file.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
      const fitting = read.filter(({ fits }) => fits(path));
      const part = (fitting.length * 100) / Math.max(patterns.length, 100);
      const worth = Math.log(1 + 100 / (1 + part));
      for (const { id } of fitting) found.set(id, Math.max(found.get(id) ?? 0, worth));
    }
    return found;
  };
}

/** A glob of a user's pattern that cannot be read fits nothing: the question is not to blame. */
function fitsOf(glob: string): (file: string) => boolean {
  try {
    return compileGlob(glob).fits;
  } catch {
    return () => false;
  }
}
