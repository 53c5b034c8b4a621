import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "./file-access.js";
import type { Kind } from "./file-stats.js";
import { compileGlob } from "./glob.js";
import { statAll } from "./list-folder.js";
import { type Walked, walk } from "./walk.js";

/** What is looked for, and where. */
export interface FindOptions {
  readonly path: string;
  readonly glob: string;
  readonly kind: "file" | "directory" | "any";
  readonly sort: "name" | "newest";
  readonly ignored: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Something that was found. */
interface FoundFile {
  readonly path: string;
  readonly kind: Kind;
  readonly size?: number;
  readonly modified?: string;
}

/** What was found, in its order, and how many there are. */
export interface FindResult {
  readonly found: readonly FoundFile[];
  readonly total: number;
  /** Folders that could not be read. */
  readonly skipped: readonly string[];
}

/** How many finds are kept at most. */
const MOST_FOUND = 100_000;
const MOST_SKIPPED = 20;

/** Finds files and folders whose paths fit a glob. `onProgress` gets the number of entries seen so far. */
export async function findFiles(
  access: FileAccess,
  options: FindOptions,
  onProgress: (seen: number) => void,
): Promise<FindResult> {
  const glob = compileGlob(options.glob);
  const fitting: Walked[] = [];
  const skipped: string[] = [];
  let seen = 0;
  const steps = walk(access, options.path, {
    ignored: options.ignored,
    enters: glob.canHold,
    skipped: (relativePath) => skipped.length < MOST_SKIPPED && skipped.push(relativePath),
  });
  for await (const entry of steps) {
    seen += 1;
    if (seen % 5000 === 0) onProgress(seen);
    if ((options.kind !== "any" && options.kind !== entry.kind) || !glob.fits(entry.relativePath)) continue;
    fitting.push(entry);
    if (fitting.length > MOST_FOUND) throw tooMany(options.glob);
  }
  const end = options.offset + options.limit;
  if (options.sort === "name")
    return { found: await lookAll(access, fitting.slice(options.offset, end)), total: fitting.length, skipped };
  const looked = await lookAll(access, fitting);
  looked.sort((one, other) => ((other.modified ?? "") < (one.modified ?? "") ? -1 : 1));
  return { found: looked.slice(options.offset, end), total: fitting.length, skipped };
}

async function lookAll(access: FileAccess, entries: readonly Walked[]): Promise<FoundFile[]> {
  const looked = await statAll(
    access,
    entries.map(({ realPath }) => realPath),
  );
  return entries.map(({ realPath, kind }, at) => {
    const stats = looked[at];
    return {
      path: access.displayPath(realPath),
      kind,
      ...(stats?.isFile() && { size: stats.size }),
      ...(stats !== undefined && { modified: stats.mtime.toISOString() }),
    };
  });
}

const tooMany = (glob: string): ToolError =>
  new ToolError(
    `Cannot list all that fits ${JSON.stringify(glob)}: it is more than ${MOST_FOUND}. Narrow the glob or the path.`,
    {
      code: "TOO_LARGE",
      details: { glob },
    },
  );
