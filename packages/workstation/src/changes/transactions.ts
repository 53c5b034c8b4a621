import { ToolError } from "@toolwright/engine";
import { forbiddenPath, isWithin } from "@toolwright/kit/files";
import type { ChangeAuthor, Journal } from "./journal.js";
import type { Change, Transaction } from "./journal-tables.js";
import { type Reverted, revert } from "./revert.js";

/** The author's open transaction that touches the folders that they can access. */
export function findOpenTransaction(journal: Journal, { principal, access }: ChangeAuthor): Transaction | undefined {
  return journal
    .openTransactions(principal)
    .find(({ roots }) =>
      roots.some((root) => access.roots.some((other) => isWithin(root, other) || isWithin(other, root))),
    );
}

/** Begins a transaction over all folders that the author can access. There is one at a time. */
export function beginTransaction(journal: Journal, author: ChangeAuthor, name: string | undefined): Transaction {
  if (author.access.roots.length === 0) throw forbiddenPath(".", []);
  const open = findOpenTransaction(journal, author);
  if (open !== undefined) {
    const since = new Date(open.begunAt).toISOString();
    throw new ToolError(
      `The transaction ${JSON.stringify(open.name)} has been open since ${since}, and there can be only one.`,
      {
        code: "CONFLICT",
        details: { transaction: open.name },
        hint: { action: "end it", tool: "workspace_transaction", arguments: { action: "commit" } },
      },
    );
  }
  const begunAt = journal.now();
  const { principal, access } = author;
  const begun = {
    principal,
    name: name ?? `workspace ${new Date(begunAt).toISOString()}`,
    roots: access.roots,
    begunAt,
    holder: journal.holder,
  };
  return { ...begun, id: journal.transactions.begin(begun), state: "open" };
}

/** Ends the transaction and keeps its changes. */
export function commitTransaction(
  journal: Journal,
  author: ChangeAuthor,
): { readonly transaction: Transaction; readonly changes: number } {
  const transaction = requireTransaction(journal, author);
  const changes = changesToUndo(journal, transaction).length;
  journal.transactions.end(transaction.id, "committed");
  return { transaction, changes };
}

/** Undoes all changes of the transaction and ends it. If that fails, it stays open. */
export async function rollBackTransaction(
  journal: Journal,
  author: ChangeAuthor,
  force: boolean,
): Promise<Reverted & { readonly transaction: Transaction }> {
  const transaction = requireTransaction(journal, author);
  const changes = changesToUndo(journal, transaction);
  const select = (without: ReadonlySet<number>) => changes.filter(({ id }) => !without.has(id));
  const reverted = await revert(journal, author, select, { operation: "undo", force });
  journal.transactions.end(transaction.id, "rolled_back");
  return { transaction, ...reverted };
}

/** The changes of a transaction that are not undone, newest first. */
const changesToUndo = (journal: Journal, { id }: Transaction): readonly Change[] =>
  journal.changes.ofTransaction(id).filter((change) => change.state === "done" && !journal.isOthers(change));

function requireTransaction(journal: Journal, author: ChangeAuthor): Transaction {
  const transaction = findOpenTransaction(journal, author);
  if (transaction !== undefined) return transaction;
  throw new ToolError("No transaction is open.", {
    code: "NOT_FOUND",
    hint: { action: "begin one", tool: "workspace_transaction", arguments: { action: "begin" } },
  });
}
