import { lstat, mkdir, rename, rmdir, symlink, unlink } from "node:fs/promises";
import { ToolError } from "@toolwright/engine";
import { changedMeanwhile, type FileAccess, type OpenEntry, writeAtomically } from "@toolwright/kit/files";
import type { Step } from "./change.js";
import { ABSENT, contentAt, type FileState, isSame } from "./file-state.js";

/** Takes one step of a change: to the side that it was made for, or back. */
export interface Move {
  readonly step: Step;
  readonly side: "old" | "new";
  /** What must be in the place at the last moment; by default what is on the other side of the step. */
  readonly expected?: FileState;
}

/** Where the step is taken, and where the bytes come from. */
export interface Ground {
  readonly reach: FileAccess;
  readonly read: (hash: string) => Promise<Uint8Array | undefined>;
  /** Does what changes something within the deadline of the reach. */
  readonly attempt: (shown: string, deed: () => Promise<void>) => Promise<void>;
}

/**
 * Does it, after a last look at what is there. What somebody else puts into the place between that look and the end of the deed, a
 * few instructions later, is lost; no system that Node knows can exclude that.
 */
export async function carryOut(move: Move, ground: Ground): Promise<void> {
  await (move.step.kind === "move" ? rearrange(move, ground) : put(move, ground));
}

async function put({ step, side, expected }: Move, ground: Ground): Promise<void> {
  // The rename that follows replaces what is there in one go.
  if (step.kind === "clear" && side === "new") return;
  const target = side === "new" ? step.after : step.before;
  const present = expected ?? (side === "new" ? step.before : step.after);
  const bytes = target.kind === "file" ? await bytesOf(target, step, ground) : undefined;
  const entry = await openKnown(step.path, ground.reach, target.kind !== "absent");
  const check = () => expectState(entry, present, ground.reach, target.kind === "folder");
  const isModeChanged = present.kind !== "file" || modeOf(step.before) !== modeOf(step.after);
  const mode = isModeChanged ? modeOf(target) : undefined;
  await withOpen([entry], ground, ground.reach.displayPath(step.path), async () => {
    if (bytes !== undefined) {
      const { temporary } = step;
      const isNew = present.kind === "absent";
      await writeAtomically(entry, bytes, {
        check,
        temporary,
        ...(mode !== undefined && { mode }),
        ...(isNew && { expect: "absent" }),
      });
      return;
    }
    await check();
    if (target.kind === "link") await symlink(target.target, entry.path);
    else if (target.kind === "folder") await mkdir(entry.path).catch(ignore("EEXIST"));
    else if (present.kind === "folder") await rmdir(entry.path).catch(ignore("ENOTEMPTY", "EEXIST", "ENOENT"));
    else await unlink(entry.path);
    await entry.folder.sync();
  });
}

async function rearrange({ step, side, expected }: Move, ground: Ground): Promise<void> {
  const { reach } = ground;
  const [source, target] = side === "new" ? [step.path, step.to ?? ""] : [step.to ?? "", step.path];
  const from = await openKnown(source, reach, false);
  const to = await openKnown(target, reach, true).catch(async (error: unknown) => {
    await from.folder.close();
    throw error;
  });
  await withOpen([from, to], ground, reach.displayPath(source), async () => {
    const moved = await lstat(from.path, { bigint: true });
    const there = await lstat(to.path, { bigint: true }).catch(() => undefined);
    const isSameFile = there !== undefined && there.ino === moved.ino && there.dev === moved.dev;
    // On disks that do not tell upper from lower case both names may mean the same entry.
    const isItself = isSameFile && (expected ?? ABSENT).kind === "absent";
    if (!isItself) await expectState(to, expected ?? ABSENT, reach);
    // Of two links to one file the system would leave both.
    await (isSameFile && !isItself ? unlink(from.path) : rename(from.path, to.path));
    await to.folder.sync();
    await from.folder.sync();
  });
}

/**
 * Does something with entries and closes them after it has really ended: what hangs must not find another folder under the same
 * number when it goes on.
 */
async function withOpen(
  entries: readonly OpenEntry[],
  { attempt }: Ground,
  shown: string,
  deed: () => Promise<void>,
): Promise<void> {
  const close = async (): Promise<void> => {
    for (const { folder } of entries) await folder.close();
  };
  let isBegun = false;
  try {
    await attempt(shown, async () => {
      isBegun = true;
      try {
        await deed();
      } finally {
        await close();
      }
    });
  } finally {
    if (!isBegun) await close();
  }
}

/** The journal has real paths; one that is not real any more leads elsewhere. */
async function openKnown(place: string, reach: FileAccess, create: boolean): Promise<OpenEntry> {
  const entry = await reach.openEntry(place, { follow: false, create });
  if (entry.realPath === place) return entry;
  await entry.folder.close();
  throw changedMeanwhile(reach.displayPath(place));
}

async function expectState(
  entry: OpenEntry,
  expected: FileState,
  reach: FileAccess,
  isFolderWanted = false,
): Promise<void> {
  const { state } = await contentAt(entry.path);
  // A folder that is there already, or is gone already, is as good.
  if (expected.kind === "folder" || isSame(state, expected)) return;
  if (isFolderWanted && state.kind === "folder") return;
  throw changedConcurrently(reach.displayPath(entry.realPath));
}

const changedConcurrently = (shown: string): ToolError =>
  new ToolError(`${JSON.stringify(shown)} was changed by somebody else at this very moment. Read it again.`, {
    code: "CONFLICT",
    details: { path: shown },
  });

async function bytesOf(
  { hash }: FileState & { readonly kind: "file" },
  step: Step,
  { reach, read }: Ground,
): Promise<Uint8Array> {
  const bytes = await read(hash);
  if (bytes !== undefined) return bytes;
  const shown = reach.displayPath(step.path);
  throw new ToolError(
    `Cannot bring back ${JSON.stringify(shown)}: its content is not in the journal; it was too large, or it was too long ago.`,
    { code: "UNAVAILABLE", details: { path: shown } },
  );
}

const modeOf = (state: FileState): number | undefined => (state.kind === "file" ? state.mode : undefined);

function ignore(...codes: readonly string[]) {
  return (error: NodeJS.ErrnoException): void => {
    if (!codes.includes(error.code ?? "")) throw error;
  };
}
