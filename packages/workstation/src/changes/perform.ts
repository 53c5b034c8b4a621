import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { carryOut, type Ground, type Move } from "./carry-out.js";
import type { Change, Doing } from "./change.js";
import type { Journal } from "./journal.js";
import { settle } from "./settle.js";

/** A change whose beginning is written down, and what is to be done with it. */
export interface Performance {
  readonly change: Change;
  readonly doing: Doing;
  readonly moves: readonly Move[];
  readonly reach: FileAccess;
  /** Contents that need not be looked for in the journal. */
  readonly contents?: ReadonlyMap<string, Uint8Array>;
}

/** Takes the steps of a change, all or none, and writes down what has become of it. */
export async function perform(journal: Journal, performance: Performance): Promise<void> {
  const { change, doing, moves, reach, contents } = performance;
  let running: Promise<unknown> = Promise.resolve();
  const ground: Ground = {
    reach,
    read: async (hash) => contents?.get(hash) ?? (await journal.blobs.read(hash)),
    attempt: (shown, deed) =>
      reach.withTimeout(shown, () => {
        const work = deed();
        running = work.catch(() => undefined);
        return work;
      }),
  };
  const taken: Move[] = [];
  try {
    for (const move of moves) {
      await carryOut(move, ground);
      taken.push(move);
    }
  } catch (error) {
    // What hangs may still happen; only when it has ended can be told what has become of the change.
    if (error instanceof ToolError && error.code === "TIMEOUT") void running.then(() => journal.leave(change));
    else await takeBack(journal, { ...change, doing }, taken, ground);
    throw error;
  }
  end(journal, change, doing);
}

/** The end of a change that was made. Where it cannot be written down, the next look at the files tells the same. */
function end(journal: Journal, change: Change, doing: Doing): void {
  const side = doing === "undo" ? "old" : "new";
  try {
    journal.finish(
      change,
      doing === "undo" ? "undone" : "done",
      change.steps.map(() => side),
    );
  } catch {
    journal.leave(change);
  }
}

async function takeBack(journal: Journal, change: Change, taken: readonly Move[], ground: Ground): Promise<void> {
  try {
    for (const { step, side } of [...taken].reverse())
      await carryOut({ step, side: side === "new" ? "old" : "new" }, ground);
  } catch {
    // What could not be taken back stands in the journal as what it is.
  }
  await settleNow(journal, change);
}

/** Tells by the files what has become of a change, and writes it down; what cannot be told now is told later. */
export async function settleNow(journal: Journal, change: Change): Promise<void> {
  try {
    const found = await settle(change);
    if (found !== undefined) {
      journal.finish(change, found.state, found.sides);
      return;
    }
  } catch {
    // The disk is full, or hangs.
  }
  journal.leave(change);
}
