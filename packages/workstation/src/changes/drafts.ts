import { readdir } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import {
  alreadyExists,
  deniedPath,
  type FileAccess,
  isWithin,
  notFound,
  wrongKind,
  wrongPath,
} from "@toolwright/kit/files";
import type { Step } from "./change.js";
import { ABSENT, type Content, type FileState, fileOf, isSame, MOST_HASHED } from "./file-state.js";
import { type Located, locate } from "./locate.js";
import { refuseInside, refuseSettings } from "./refuse-inside.js";

/** A step before it is written down. */
export type DraftStep = Omit<Step, "side" | "temporary">;

/** A change before it is written down: its steps, and the contents that they need. */
export interface Draft {
  readonly steps: readonly DraftStep[];
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Makes a file's new bytes from what is there; throws where it must not be written. */
export type Rewrite = (before: Content) => Promise<Uint8Array> | Uint8Array;

/** A file that gets other bytes. */
export async function draftWrite(reach: FileAccess, given: string, rewrite: Rewrite, most: number) {
  const located = await locate(reach, given, { follow: true, most });
  const { place, content } = located;
  refuseUnlessFile(given, content.state);
  refuseFolderName(given);
  if (content.state.kind === "file" && ((content.state.mode ?? 0o200) & 0o222) === 0)
    throw deniedPath(given, "the file is read-only. Make it writable first");
  const bytes = await rewrite(content);
  if (bytes.length > MOST_HASHED)
    throw new ToolError(`Cannot write ${JSON.stringify(given)}: a tool writes at most 64 MiB. Nothing was written.`, {
      code: "TOO_LARGE",
      details: { path: given, expected: `at most ${MOST_HASHED} bytes`, got: bytes.length },
    });
  const mode = content.state.kind === "file" ? content.state.mode : undefined;
  const after = fileOf(bytes, mode);
  const steps = isSame(content.state, after)
    ? []
    : [...toFolders(located), { kind: "put", path: place, before: content.state, after } as const];
  const draft: Draft = { steps, contents: contentsOf(content, { state: after, bytes }) };
  return { ...draft, place, before: content, bytes };
}

/** A file or a link that goes. */
export async function draftDelete(reach: FileAccess, given: string, most: number) {
  const { place, content } = await locate(reach, given, { follow: false, most });
  const { state } = content;
  if (state.kind === "absent") await refuseAbsent(reach, given);
  if (state.kind !== "link") refuseUnlessFile(given, state);
  const step: DraftStep = { kind: "put", path: place, before: state, after: ABSENT };
  return { steps: [step], contents: contentsOf(content), place, state };
}

/** A folder that comes, with those on the way to it. Nothing to do where it is there. */
export async function draftFolder(reach: FileAccess, given: string) {
  const found = await reach.stat(given);
  if (found !== undefined) {
    if (!found.stats.isDirectory()) throw alreadyExists(given);
    return { steps: [], contents: new Map(), place: found.realPath };
  }
  const located = await locate(reach, given, { follow: true, most: 0 });
  const folders = toFolders({ folders: [...located.folders, located.place] });
  return { steps: folders, contents: new Map(), place: located.place };
}

/** How something goes elsewhere. */
interface MoveOptions {
  /** Whether a file in the new place is replaced. */
  readonly overwrite: boolean;
  readonly most: number;
}

/** Something that goes elsewhere. */
export async function draftMove(
  reach: FileAccess,
  given: { readonly from: string; readonly to: string },
  { overwrite, most }: MoveOptions,
) {
  const from = await locate(reach, given.from, { follow: false, most: 0 });
  const { state } = from.content;
  if (state.kind === "absent") await refuseAbsent(reach, given.from);
  if (state.kind === "special") throw wrongKind(given.from, state.words, "a file or a folder");
  refuseSettings(reach, from.place, given.from);
  if (state.kind === "folder") await refuseInside(reach, from.place, given.from);
  const to = await locate(reach, given.to, { follow: false, most });
  refuseSettings(reach, to.place, given.to);
  if (state.kind !== "folder") refuseFolderName(given.to);
  if (to.place === from.place) throw alreadyExists(given.to);
  if (isWithin(from.place, to.place)) throw deniedPath(given.to, `it lies inside ${JSON.stringify(given.from)}`);
  const replaced = (await isItself(reach, from, to)) ? ABSENT : to.content.state;
  if (replaced.kind !== "absent") {
    if (!overwrite) throw alreadyExists(given.to);
    if (replaced.kind !== "link") refuseUnlessFile(given.to, replaced);
    if (state.kind === "folder") throw wrongKind(given.from, "a folder", "a file, which alone can replace one");
  }
  const clears = replaced.kind === "file" || replaced.kind === "link";
  const clear: DraftStep = { kind: "clear", path: to.place, before: replaced, after: ABSENT };
  const move: DraftStep = { kind: "move", path: from.place, to: to.place, before: state, after: state };
  const steps = [...toFolders(to), ...(clears ? [clear] : []), move];
  const contents = contentsOf({ ...to.content, state: replaced });
  return { steps, contents, place: to.place, from: from.place, isReplaced: clears };
}

/** Whether two names are one entry of a folder: on some disks those that differ in case are. Two links to one file are not. */
async function isItself(reach: FileAccess, from: Located, to: Located): Promise<boolean> {
  const { file } = to.content;
  if (file === undefined || file !== from.content.file) return false;
  const given = path.dirname(to.place);
  await using folder = await reach.openFolder(given);
  const names = await reach.withTimeout(given, () => readdir(folder.path));
  return !names.includes(path.basename(to.place));
}

const toFolders = ({ folders }: Pick<Located, "folders">): DraftStep[] =>
  folders.map((place) => ({ kind: "put", path: place, before: ABSENT, after: { kind: "folder" } }));

function contentsOf(...contents: readonly { readonly state: FileState; readonly bytes?: Uint8Array }[]) {
  const found = new Map<string, Uint8Array>();
  for (const { state, bytes } of contents)
    if (state.kind === "file" && bytes !== undefined) found.set(state.hash, bytes);
  return found;
}

/** A slash at the end means a folder, to people and to all other programs. */
function refuseFolderName(given: string): void {
  if (given.endsWith("/") || given.endsWith(path.sep))
    throw wrongPath(given, "it ends in a slash, which means a folder; give the name of the file too");
}

function refuseUnlessFile(given: string, state: FileState): void {
  if (state.kind === "folder") throw wrongKind(given, "a folder", "a file");
  if (state.kind === "special") throw wrongKind(given, state.words, "a file");
  if (state.kind === "link") throw wrongKind(given, "a symbolic link", "a file");
}

/** Says that nothing is there; opening it finds the name that was meant. */
export async function refuseAbsent(reach: FileAccess, given: string): Promise<never> {
  const file = await reach.openFile(given);
  await file.handle.close();
  throw notFound(reach.displayPath(path.basename(given)));
}
