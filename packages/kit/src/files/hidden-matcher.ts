import path from "node:path";
import type { Root } from "./roots.js";

/** Creates the test for paths of a list of globs: whether a glob matches the path, or a folder above it. */
export async function createPathMatcher(
  globs: readonly string[],
  roots: readonly Root[],
): Promise<(place: string) => boolean> {
  if (globs.length === 0) return () => false;
  const { default: picomatch } = await import("picomatch");
  // Where case counts, or how a letter is composed, depends on the disk: what is spelled otherwise may be the same file.
  const patterns = globs.flatMap((glob) => roots.map((root) => toPattern(glob, root)));
  const fits = picomatch(patterns, { dot: true, nocase: true });
  return (place) =>
    roots.some(({ real }) => {
      const parts = path.relative(real, place).normalize().split(path.sep);
      return parts[0] !== ".." && parts.some((_, at) => fits(parts.slice(0, at + 1).join("/")));
    });
}

/** A glob as it is compared: below the root, without the marks of a folder at its ends. */
function toPattern(glob: string, { given, real }: Root): string {
  const root = [given, real].find((folder) => glob.startsWith(`${folder}/`)) ?? "";
  const below = glob
    .slice(root.length)
    .normalize()
    .replace(/^(?:\.?\/)+/, "")
    .replace(/\/+$/, "");
  // A bare name is hidden wherever it is; too much hidden is better than too little.
  return below.includes("/") ? below : `**/${below}`;
}
