import { findListed } from "../answers/query.js";
import type { Library } from "../library/library.js";
import { createFileFit } from "../ranking/file-fit.js";
import type { Piece } from "./look-at-text.js";

/** A pattern that may apply, for all that can be seen of it. */
export interface Considered {
  readonly id: string;
  readonly name: string;
  readonly because: string;
}

const MOST = 5;
/** A path that fits few patterns says more; what fits a fifth of all of them says nothing. */
const LEAST_WORTH = 2.2;
const MOST_PATHS = 200;
const MOST_IMPORTS = 40;

/** The patterns that names of files and imports speak for, without those that were found in the code. */
export async function consider(
  library: Library,
  pieces: readonly Piece[],
  found: ReadonlySet<string>,
  isWanted: (pattern: { readonly category: string; readonly severity: string }) => boolean,
): Promise<readonly Considered[]> {
  const entries = await library.list();
  const paths = [...new Set(pieces.map(({ file }) => file))].slice(0, MOST_PATHS);
  const fitting = createFileFit(entries)(paths);
  const byPath = entries
    .filter(({ id }) => (fitting.get(id) ?? 0) >= LEAST_WORTH)
    .sort((a, b) => (fitting.get(b.id) ?? 0) - (fitting.get(a.id) ?? 0));
  const imports = importsIn(pieces);
  const byImport = imports === "" ? [] : await findListed(library, { context: imports });
  const because = new Map([
    ...byImport.map(({ id }) => [id, "what is imported"] as const),
    ...byPath.map(({ id }) => [id, "the names of files"] as const),
  ]);
  return [...byPath, ...byImport]
    .filter(
      (entry, at, all) => isWanted(entry) && !found.has(entry.id) && all.findIndex(({ id }) => id === entry.id) === at,
    )
    .slice(0, MOST)
    .map(({ id, name }) => ({ id, name, because: because.get(id) ?? "" }));
}

const IMPORT = /^[ \t]*(?:import|from|use|using|require(?:_relative)?|const [^=\n]{1,80}= require)\b[^\n]{0,200}/gm;

/** The names of packages, in words. */
function importsIn(pieces: readonly Piece[]): string {
  const names = pieces.flatMap(({ text }) =>
    (text.match(IMPORT) ?? []).flatMap((line) => line.match(/[\w-]{3,40}/g) ?? []),
  );
  const words = names.filter((name) => !/^(?:import|from|use|using|require|const|require_relative)$/.test(name));
  return [...new Set(words)].slice(0, MOST_IMPORTS).join(" ");
}
