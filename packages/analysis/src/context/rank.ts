import path from "node:path";
import type { ImportGraph } from "../imports/graph.js";
import type { ProjectFile } from "../project/project.js";

/** A file of which a map can tell. */
export type MappedFile = ProjectFile<"imports" | "outline" | "measures">;

/** A file and how much it matters. */
export interface RankedFile {
  readonly file: MappedFile;
  readonly usedBy: number;
  readonly score: number;
}

/** Where programs and packages begin. */
const ENTRY = /^(?:index|main|mod|lib|app|server|cli|__init__|__main__|program|application)$/i;

/** Puts the files first that others need to know: used by many, entry points, with much to offer. Tests come last. */
export function rankFiles(files: readonly MappedFile[], { links }: ImportGraph): RankedFile[] {
  const users = new Map<string, number>();
  for (const { to } of links) users.set(to, (users.get(to) ?? 0) + 1);
  return files
    .map((file): RankedFile => {
      const usedBy = users.get(file.path) ?? 0;
      return { file, usedBy, score: scoreOf(file, usedBy) };
    })
    .sort((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1));
}

function scoreOf({ path: name, origin, facts }: MappedFile, usedBy: number): number {
  const offered = facts.outline.filter(({ isExported }) => isExported).length;
  const depth = name.split("/").length;
  const isEntry = ENTRY.test(path.posix.basename(name).replace(/\..*$/, ""));
  const score =
    2 * Math.log2(1 + usedBy) + (isEntry ? Math.max(1, 6 - depth) : 0) + Math.log2(1 + offered) - depth / 10;
  return origin === "own" ? score : score - 100;
}
