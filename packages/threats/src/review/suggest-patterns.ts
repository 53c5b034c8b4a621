import type { Library } from "../library/library.js";
import { findListed } from "../query/query.js";
import { createFileFit } from "../ranking/file-fit.js";
import type { Fragment } from "./scan-text.js";

/** A pattern that may apply, for all that can be seen of it. */
export interface SuggestedPattern {
  readonly id: string;
  readonly name: string;
  readonly because: string;
}

const MAX_SUGGESTED = 5;
/** A path that fits few patterns says more; what fits a fifth of all of them says nothing. */
const MIN_PATH_SCORE = 2.2;
const MAX_PATHS = 200;
const MAX_IMPORTS = 40;

/** The patterns that names of files and imports speak for, without those that were found in the code. */
export async function suggestPatterns(
  library: Library,
  fragments: readonly Fragment[],
  found: ReadonlySet<string>,
  isWanted: (pattern: { readonly category: string; readonly severity: string }) => boolean,
): Promise<readonly SuggestedPattern[]> {
  const entries = await library.list();
  const paths = [...new Set(fragments.map(({ file }) => file))].slice(0, MAX_PATHS);
  const fitting = createFileFit(entries)(paths);
  const byPath = entries
    .filter(({ id }) => (fitting.get(id) ?? 0) >= MIN_PATH_SCORE)
    .sort((a, b) => (fitting.get(b.id) ?? 0) - (fitting.get(a.id) ?? 0));
  const imports = importsIn(fragments);
  const byImport = imports === "" ? [] : await findListed(library, { context: imports });
  const because = new Map([
    ...byImport.map(({ id }) => [id, "what is imported"] as const),
    ...byPath.map(({ id }) => [id, "the names of files"] as const),
  ]);
  return [...byPath, ...byImport]
    .filter(
      (entry, at, all) => isWanted(entry) && !found.has(entry.id) && all.findIndex(({ id }) => id === entry.id) === at,
    )
    .slice(0, MAX_SUGGESTED)
    .map(({ id, name }) => ({ id, name, because: because.get(id) ?? "" }));
}

const IMPORT = /^[ \t]*(?:import|from|use|using|require(?:_relative)?|const [^=\n]{1,80}= require)\b[^\n]{0,200}/gm;

/** The names of packages, in words. */
function importsIn(fragments: readonly Fragment[]): string {
  const names = fragments.flatMap(({ text }) =>
    (text.match(IMPORT) ?? []).flatMap((line) => line.match(/[\w-]{3,40}/g) ?? []),
  );
  const words = names.filter((name) => !/^(?:import|from|use|using|require|const|require_relative)$/.test(name));
  return [...new Set(words)].slice(0, MAX_IMPORTS).join(" ");
}
