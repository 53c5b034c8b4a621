import { type Call, type Tool, ToolError, tool } from "@toolwright/engine";
import { type FileAccess, fitToBudget, sizeInJson } from "@toolwright/kit/files";
import { CREATE, CURSOR, NEXT_CURSOR, nextCursor, offsetOf, READ, REPLACE } from "@toolwright/kit/pack";
import { CHANGE, LEFT_OUT, TOTAL } from "../change-schemas.js";
import type { Journal } from "../changes/journal.js";
import type { Change } from "../changes/journal-tables.js";
import type { Reverted } from "../changes/revert.js";
import type { Workstation } from "../workstation.js";

const MAX_LISTED = 100;
const MAX_RESULT_BYTES = 30_000;
const MAX_DIFF = 6000;

const FORCE = {
  type: "boolean",
  default: false,
  description: "Overwrite later changes of others",
} as const;

/** The tools that undo changes of files. */
export const undoTools = (workstation: Workstation): readonly Tool[] => [
  undoLast(workstation),
  redo(workstation),
  changesSince(workstation),
  checkpoint(workstation),
  workspaceTransaction(workstation),
  ...(["begin", "commit", "rollback"] as const).map((action) => workspaceAction(workstation, action)),
];

const undoLast = (workstation: Workstation) =>
  tool({
    name: "undo_last",
    title: "Undo changes",
    description: "Undoes your last changes of files. Fails with a diff if others have changed the files since.",
    toolset: "changes",
    input: {
      type: "object",
      properties: {
        count: {
          type: "integer",
          minimum: 1,
          maximum: MAX_LISTED,
          default: 1,
          description: "Number of changes or ended transactions",
        },
        to_checkpoint: {
          type: "string",
          description: "Undo all since this checkpoint, instead of count",
        },
        force: FORCE,
      },
    },
    output: {
      type: "object",
      properties: {
        undone: { type: "array", items: CHANGE },
        total: TOTAL,
        left: LEFT_OUT,
        transaction: { type: "string" },
      },
      required: ["undone", "total"],
    },
    annotations: REPLACE,
    async run({ count, to_checkpoint: checkpoint, force }, call) {
      const { changeBefore, findOpenTransaction, revert, selectChanges, undoable } = await import(
        "../changes/index.js"
      );
      const author = await workstation.authorOf(call, "undo_last");
      const changes = await workstation.changes();
      const action =
        checkpoint === undefined ? `Undo the last ${count} changes` : `Undo all changes since ${checkpoint}`;
      await confirmRevert(workstation, call, action, force);
      return changes.runExclusive(author, async (journal) => {
        const selection =
          checkpoint === undefined
            ? { count }
            : { count: Number.POSITIVE_INFINITY, after: changeBefore(journal, author, checkpoint) };
        const select = (without: ReadonlySet<number>) =>
          selectChanges(journal, undoable(journal, author), { ...selection, without });
        const reverted = await revert(journal, author, select, { operation: "undo", force });
        rejectNothing(reverted, "undo");
        const undone = await describeAll(workstation, journal, author.access, { ...reverted, state: "undone" });
        const open = findOpenTransaction(journal, author);
        const { total, left } = undone;
        return {
          undone: undone.changes,
          total,
          ...(left && { left }),
          ...(open !== undefined && { transaction: open.name }),
        };
      });
    },
  });

const redo = (workstation: Workstation) =>
  tool({
    name: "redo",
    title: "Redo changes",
    description: "Redoes changes that undo_last has undone. Possible until you change another file.",
    toolset: "changes",
    input: {
      type: "object",
      properties: {
        count: { type: "integer", minimum: 1, maximum: MAX_LISTED, default: 1, description: "How many changes" },
        force: FORCE,
      },
    },
    output: {
      type: "object",
      properties: { redone: { type: "array", items: CHANGE }, total: TOTAL, left: LEFT_OUT },
      required: ["redone", "total"],
    },
    annotations: REPLACE,
    async run({ count, force }, call) {
      const { redoable, revert, selectChanges } = await import("../changes/index.js");
      const author = await workstation.authorOf(call, "redo");
      const changes = await workstation.changes();
      await workstation.confirm(call, `Redo ${count} undone changes`, "destructive");
      return changes.runExclusive(author, async (journal) => {
        const select = (without: ReadonlySet<number>) =>
          selectChanges(journal, redoable(journal, author), { count, without });
        const reverted = await revert(journal, author, select, { operation: "redo", force });
        rejectNothing(reverted, "redo");
        for (const { transaction } of reverted.changes)
          if (transaction !== undefined && journal.transactions.find(transaction)?.state === "rolled_back")
            journal.transactions.end(transaction, "committed");
        const redone = await describeAll(workstation, journal, author.access, { ...reverted, state: "done" });
        return { redone: redone.changes, total: redone.total, ...(redone.left && { left: redone.left }) };
      });
    },
  });

const changesSince = (workstation: Workstation) =>
  tool({
    name: "changes_since",
    title: "List your changes",
    description: "Lists your changes of files, oldest first, with the numbers of added and removed lines.",
    toolset: "changes",
    input: {
      type: "object",
      properties: {
        since: {
          type: ["string", "integer"],
          description: "Checkpoint, number of a change, or ISO time; all by default",
        },
        diffs: { type: "boolean", default: false, description: "Include diffs" },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 50, description: "At most this many changes" },
        cursor: CURSOR,
      },
    },
    output: {
      type: "object",
      properties: { changes: { type: "array", items: CHANGE }, next_cursor: NEXT_CURSOR },
      required: ["changes"],
    },
    annotations: READ,
    async run({ since = 0, diffs, limit, cursor }, call) {
      const { changeBefore, describeChange, pathsOf } = await import("../changes/index.js");
      const author = await workstation.authorOf(call, "changes_since");
      const { principal, access } = author;
      const journal = await (await workstation.changes()).journal();
      let after = cursor === undefined ? changeBefore(journal, author, since) : offsetOf(cursor);
      const listed: Awaited<ReturnType<typeof describeChange>>[] = [];
      for (let length = 0; ; ) {
        const [change] = journal.changes.since(principal, after, 1);
        if (change === undefined) return { changes: listed };
        call.signal.throwIfAborted();
        if (pathsOf(change).every((realPath) => access.isVisible(realPath))) {
          const next = await describeChange(journal, access, change, { diffs, maxDiff: MAX_DIFF });
          length += sizeInJson(next);
          if (listed.length === limit || (listed.length > 0 && length > MAX_RESULT_BYTES))
            return { changes: listed, ...nextCursor(after) };
          listed.push(next);
        }
        after = change.id;
      }
    },
  });

const checkpoint = (workstation: Workstation) =>
  tool({
    name: "checkpoint",
    title: "Set a checkpoint",
    description: "Names this moment, so that undo_last can return to it and changes_since can start from it.",
    toolset: "changes",
    input: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, maxLength: 100, description: "The name; an existing one is moved" },
      },
      required: ["name"],
    },
    output: {
      type: "object",
      properties: { name: { type: "string" }, at: { type: "string" }, change: { type: "integer" } },
      required: ["name", "at", "change"],
    },
    annotations: CREATE,
    async run({ name }, call) {
      const { isAmbiguousName } = await import("../changes/index.js");
      if (isAmbiguousName(name))
        throw new ToolError(`Cannot name a checkpoint ${JSON.stringify(name)}: it looks like a number or a time.`, {
          code: "INVALID_ARGUMENT",
        });
      const author = await workstation.authorOf(call, "checkpoint");
      return (await workstation.changes()).runExclusive(author, async (journal) => {
        const madeAt = journal.now();
        const change = journal.changes.last();
        journal.transactions.setCheckpoint(author, { name, change, madeAt });
        return { name, at: new Date(madeAt).toISOString(), change };
      });
    },
  });

const ACTIONS = ["begin", "commit", "rollback"] as const;

const TRANSACTION_NAME = {
  type: "string",
  minLength: 1,
  maxLength: 100,
  description: "A name for begin; the time by default",
} as const;

const TRANSACTION_OUTPUT = {
  type: "object",
  properties: {
    transaction: { type: "string" },
    roots: { type: "array", items: { type: "string" }, description: "The folders of the transaction" },
    changes: TOTAL,
    undone: { type: "array", items: CHANGE },
    left: LEFT_OUT,
  },
  required: ["transaction"],
} as const;

const workspaceTransaction = (workstation: Workstation) =>
  tool({
    name: "workspace_transaction",
    title: "Change files in a transaction",
    description:
      "Groups your changes of files: begin, then commit to keep them or rollback to undo them all. They are on disk at once.",
    toolset: "changes",
    input: {
      type: "object",
      properties: {
        action: { enum: ACTIONS, description: "There is one open transaction at a time" },
        name: TRANSACTION_NAME,
        force: FORCE,
      },
      required: ["action"],
    },
    output: TRANSACTION_OUTPUT,
    annotations: REPLACE,
    run: ({ action, name, force }, call) => runTransaction(workstation, call, action, { name, force }),
  });

/** The tools that workspace_transaction replaces. */
const workspaceAction = (workstation: Workstation, action: (typeof ACTIONS)[number]) =>
  tool({
    name: `workspace_${action}`,
    replacedBy: "workspace_transaction",
    title: `Transaction: ${action}`,
    description: `The same as workspace_transaction with the action ${action}.`,
    toolset: "changes",
    input: { type: "object", properties: { name: TRANSACTION_NAME, force: FORCE } },
    output: TRANSACTION_OUTPUT,
    annotations: action === "rollback" ? REPLACE : CREATE,
    run: ({ name, force }, call) => runTransaction(workstation, call, action, { name, force }),
  });

async function runTransaction(
  workstation: Workstation,
  call: Call,
  action: (typeof ACTIONS)[number],
  { name, force }: { readonly name: string | undefined; readonly force: boolean },
) {
  const { beginTransaction, commitTransaction, rollBackTransaction } = await import("../changes/index.js");
  const author = await workstation.authorOf(call, `workspace_${action}`);
  const changes = await workstation.changes();
  if (action === "rollback") await confirmRevert(workstation, call, "Undo all changes of the transaction", force);
  return changes.runExclusive(author, async (journal) => {
    if (action === "begin") {
      const transaction = journal.atomically(() => beginTransaction(journal, author, name));
      return { transaction: transaction.name, roots: [...transaction.roots] };
    }
    if (action === "commit") {
      const committed = journal.atomically(() => commitTransaction(journal, author));
      return { transaction: committed.transaction.name, changes: committed.changes };
    }
    const rolledBack = await rollBackTransaction(journal, author, force);
    const undone = await describeAll(workstation, journal, author.access, { ...rolledBack, state: "undone" });
    return {
      transaction: rolledBack.transaction.name,
      changes: undone.total,
      undone: undone.changes,
      ...(undone.left && { left: undone.left }),
    };
  });
}

function confirmRevert(workstation: Workstation, call: Call, action: string, force: boolean): Promise<void> {
  return workstation.confirm(call, force ? `${action}, and later changes of others` : action, "destructive");
}

function rejectNothing({ changes, leftOut }: Reverted, operation: "undo" | "redo"): void {
  if (changes.length + leftOut.length === 0)
    throw new ToolError(`There is nothing to ${operation}.`, { code: "NOT_FOUND" });
}

/** Describes the changes that were undone or redone, and notifies clients that watch their files. */
async function describeAll(
  workstation: Workstation,
  journal: Journal,
  access: FileAccess,
  { changes, leftOut, state }: Reverted & { readonly state: Change["state"] },
) {
  const { describeChange, describeLeftOut, pathsOf } = await import("../changes/index.js");
  workstation.notifyChanged(changes.flatMap(pathsOf));
  const described = await Promise.all(
    changes.slice(0, MAX_LISTED).map((change) => describeChange(journal, access, { ...change, state })),
  );
  return { changes: fitToBudget(described), total: changes.length, ...describeLeftOut(access, leftOut) };
}
