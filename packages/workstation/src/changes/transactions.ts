import { ToolError } from "@toolwright/engine";
import { forbiddenPath, isWithin } from "@toolwright/kit/files";
import type { Author } from "./author.js";
import type { Bundle, Change } from "./change.js";
import { type Gone, goBack } from "./go-back.js";
import type { Journal } from "./journal.js";

/** The open transaction of somebody that touches what they reach. */
export function openBundle(journal: Journal, { principal, reach }: Author): Bundle | undefined {
  return journal
    .openBundles(principal)
    .find(({ roots }) =>
      roots.some((root) => reach.roots.some((other) => isWithin(root, other) || isWithin(other, root))),
    );
}

/** Begins a transaction over all folders that somebody reaches. One at a time. */
export function beginBundle(journal: Journal, author: Author, name: string | undefined): Bundle {
  if (author.reach.roots.length === 0) throw forbiddenPath(".", []);
  const open = openBundle(journal, author);
  if (open !== undefined) {
    throw new ToolError(
      `The transaction ${JSON.stringify(open.name)} is open since ${new Date(open.begunAt).toISOString()}, and there is only one at a time. End it with workspace_commit or workspace_rollback.`,
      { code: "CONFLICT", details: { transaction: open.name } },
    );
  }
  const begunAt = journal.now();
  const called = name ?? `workspace ${new Date(begunAt).toISOString()}`;
  const { principal, reach } = author;
  const begun = { principal, name: called, roots: reach.roots, begunAt, holder: journal.holder };
  return { ...begun, id: journal.bundles.begin(begun), state: "open" };
}

/** Ends the transaction; its changes stay. */
export function commitBundle(journal: Journal, author: Author): { readonly bundle: Bundle; readonly changes: number } {
  const bundle = requireBundle(journal, author);
  const standing = standingChanges(journal, bundle);
  journal.bundles.end(bundle.id, "committed");
  return { bundle, changes: standing.length };
}

/** Undoes all changes of the transaction and ends it; where that fails, it stays open. */
export async function rollBackBundle(
  journal: Journal,
  author: Author,
  force: boolean,
): Promise<Gone & { readonly bundle: Bundle }> {
  const bundle = requireBundle(journal, author);
  const standing = standingChanges(journal, bundle);
  const choose = (without: ReadonlySet<number>) => standing.filter(({ id }) => !without.has(id));
  const gone = await goBack(journal, author, choose, { doing: "undo", force });
  journal.bundles.end(bundle.id, "rolled_back");
  return { bundle, ...gone };
}

/** The changes of a transaction that are not undone, newer ones first. */
const standingChanges = (journal: Journal, { id }: Bundle): readonly Change[] =>
  journal.table.ofBundle(id).filter((change) => change.state === "done" && !journal.isOthers(change));

function requireBundle(journal: Journal, author: Author): Bundle {
  const bundle = openBundle(journal, author);
  if (bundle !== undefined) return bundle;
  throw new ToolError("No transaction is open. Begin one with workspace_begin.", { code: "NOT_FOUND" });
}
