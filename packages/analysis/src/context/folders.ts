import path from "node:path";
import type { MappedFile } from "./rank.js";

/** A folder, and how much is in it. */
export interface FolderSize {
  readonly path: string;
  readonly files: number;
  readonly lines: number;
}

/** The folders of a project with all below them, the largest of each level first; those with one folder and nothing else are left out. */
export function folderSizes(files: readonly MappedFile[]): FolderSize[] {
  const sizes = new Map<string, { files: number; lines: number; own: number }>();
  for (const { path: name, facts } of files) {
    let folder = path.posix.dirname(name);
    for (let own = 1; folder !== "."; folder = path.posix.dirname(folder), own = 0) {
      const size = sizes.get(folder) ?? { files: 0, lines: 0, own: 0 };
      sizes.set(folder, {
        files: size.files + 1,
        lines: size.lines + facts.measures.lines,
        own: size.own + own,
      });
    }
  }
  const children = new Map<string, number>();
  for (const folder of sizes.keys()) {
    const above = path.posix.dirname(folder);
    children.set(above, (children.get(above) ?? 0) + 1);
  }
  return [...sizes]
    .filter(([folder, { own }]) => own > 0 || children.get(folder) !== 1)
    .map(([folder, { files: count, lines }]) => ({ path: folder, files: count, lines }))
    .sort((a, b) => levelOf(a) - levelOf(b) || b.lines - a.lines || (a.path < b.path ? -1 : 1));
}

const levelOf = ({ path: folder }: FolderSize): number => folder.split("/").length;
