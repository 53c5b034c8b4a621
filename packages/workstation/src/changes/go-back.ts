import { ToolError } from "@toolwright/engine";
import { type FileAccess, temporaryName } from "@toolwright/kit/files";
import type { Author } from "./author.js";
import type { Change } from "./change.js";
import { clashFault } from "./clash-fault.js";
import type { Journal } from "./journal.js";
import { contentOf } from "./locate.js";
import { findLost, type Lost, lostFault } from "./lost-content.js";
import { perform } from "./perform.js";
import { type Clash, type Plan, planChange } from "./plan.js";
import { Preview } from "./preview.js";
import { refuseInside, refuseSettings } from "./refuse-inside.js";

/** In which direction changes are taken, and whether over what others have done since. */
export interface Direction {
  readonly doing: "undo" | "redo";
  readonly force: boolean;
}

/** What was undone or made again, and what stays for good because its content is gone. */
export interface Gone {
  readonly changes: readonly Change[];
  readonly left: readonly Lost[];
}

/**
 * Undoes the changes that are chosen, or makes them again, in their order. Where others have changed a place since, or a content is
 * gone, nothing is done. With `force` what others have done is noted as a change that is undone too, so that it can be brought
 * back; a change whose content is gone is left out for good, and others are chosen without it.
 */
export async function goBack(
  journal: Journal,
  author: Author,
  choose: (without: ReadonlySet<number>) => readonly Change[],
  { doing, force }: Direction,
): Promise<Gone> {
  const left: Lost[] = [];
  let plans = await planAll(author, choose(new Set()), doing);
  for (let lost = await findLost(journal, plans); lost.length > 0; lost = await findLost(journal, plans)) {
    if (!force) throw lostFault(author.reach, lost, doing);
    left.push(...lost);
    plans = await planAll(author, choose(new Set(left.map(({ change }) => change.id))), doing);
  }
  const clashes = plans.flatMap((plan) => plan.clashes);
  const inTheWay = force ? clashes.filter(({ canForce }) => !canForce) : clashes;
  if (inTheWay.length > 0) throw await clashFault(journal, author.reach, inTheWay, doing);
  if (plans.length === 0) leaveOut(journal, left, doing);
  for (const [at, plan] of plans.entries()) {
    try {
      await refuseMoves(author.reach, plan);
      await adoptAll(journal, author, plan);
      if (!journal.claim(plan.change, doing)) throw busy(plan.change);
      await perform(journal, { ...plan, doing, reach: author.reach });
    } catch (error) {
      throw at === 0 ? error : partly(error, at, doing);
    }
    // Where nothing at all could be done, nothing is given up either.
    if (at === 0) leaveOut(journal, left, doing);
  }
  return { changes: plans.map(({ change }) => change), left };
}

/** What a person has put into a folder since must not go elsewhere with it, if no tool may change it, and no link lead to its place. */
async function refuseMoves(reach: FileAccess, { moves }: Plan): Promise<void> {
  for (const { step, side } of moves) {
    const target = side === "new" ? step.after : step.before;
    if (target.kind === "link") refuseSettings(reach, step.path);
    if (step.kind !== "move") continue;
    const [from, to] = side === "new" ? [step.path, step.to ?? ""] : [step.to ?? "", step.path];
    refuseSettings(reach, from);
    refuseSettings(reach, to);
    if (step.before.kind === "folder") await refuseInside(reach, from);
  }
}

/** Writes down that changes stay as they are, but for those that another process has taken up meanwhile. */
function leaveOut(journal: Journal, left: readonly Lost[], doing: "undo" | "redo"): void {
  for (const { change } of left) {
    if (!journal.claim(change, doing)) continue;
    const sides = change.steps.map(({ side }) => side);
    journal.finish(change, doing === "undo" ? "lost" : "dropped", sides);
  }
}

async function planAll(author: Author, changes: readonly Change[], doing: "undo" | "redo"): Promise<readonly Plan[]> {
  const { reach } = author;
  const preview = new Preview(async (place) => (await contentOf(reach, place)).state);
  const plans: Plan[] = [];
  for (const change of changes) plans.push(await planChange(change, doing === "undo" ? "old" : "new", preview));
  return plans;
}

/** What others have done goes into the journal before it goes from the disk. */
async function adoptAll(journal: Journal, author: Author, { change, clashes }: Plan): Promise<void> {
  for (const clash of clashes) await keepFound(journal, author, clash);
  const steps = clashes.map(({ path, expected, found }) => ({
    ...({ kind: "put", path, before: expected, after: found } as const),
    ...({ side: "old", temporary: temporaryName() } as const),
  }));
  if (steps.length > 0) journal.adopt(author, steps, change.bundle);
}

async function keepFound(journal: Journal, { reach }: Author, { found, origin }: Clash): Promise<void> {
  if (found.kind !== "file" || journal.blobs.has(found.hash)) return;
  const { bytes, state } = await contentOf(reach, origin, journal.limits.fileBytes);
  if (bytes === undefined || state.kind !== "file") {
    throw new ToolError(
      `Cannot replace ${JSON.stringify(reach.displayPath(origin))}: it is too large for the journal.`,
      {
        code: "TOO_LARGE",
        details: { path: reach.displayPath(origin) },
      },
    );
  }
  await journal.blobs.keep(state.hash, bytes);
}

const busy = ({ id }: Change): ToolError =>
  new ToolError(
    `Change ${id} is being undone or made again by another process. Look at changes_since, then try again.`,
    {
      code: "CONFLICT",
      details: { change: id },
    },
  );

/** Those that were done before stay so. */
function partly(error: unknown, count: number, doing: "undo" | "redo"): unknown {
  if (!(error instanceof ToolError)) return error;
  const done = doing === "undo" ? "undone" : "made again";
  return new ToolError(
    `${error.message} Before that, ${count} ${count === 1 ? "change was" : "changes were"} ${done}.`,
    {
      ...(error.code !== undefined && { code: error.code }),
      details: { ...error.details, done: count },
      cause: error,
    },
  );
}
