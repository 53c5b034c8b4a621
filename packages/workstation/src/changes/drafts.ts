import { readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "@toolwright/engine";
import {
  alreadyExists,
  changedMeanwhile,
  deniedPath,
  type FileAccess,
  isWithin,
  notFound,
  wrongKind,
  wrongPath,
} from "@toolwright/kit/files";
import { ABSENT, type Content, contentAt, type FileState, fileStateOf, isSame, MAX_READ_BYTES } from "./file-state.js";
import type { Step } from "./journal-tables.js";

/** A step before it is recorded. */
export type DraftStep = Omit<Step, "side" | "temporary">;

/** A change before it is recorded: its steps, and the contents that they need. */
export interface Draft {
  readonly steps: readonly DraftStep[];
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** Creates the new bytes of a file from its old content. Throws if the file must not be written. */
export type Rewrite = (before: Content) => Promise<Uint8Array> | Uint8Array;

/** Drafts a file that gets other bytes. */
export async function draftWrite(access: FileAccess, inputPath: string, rewrite: Rewrite, maxBytes: number) {
  const located = await locate(access, inputPath, { follow: true, maxBytes });
  const { realPath, content } = located;
  requireFile(inputPath, content.state);
  rejectTrailingSlash(inputPath);
  if (content.state.kind === "file" && ((content.state.mode ?? 0o200) & 0o222) === 0)
    throw deniedPath(inputPath, "the file is read-only. Make it writable first");
  const bytes = await rewrite(content);
  if (bytes.length > MAX_READ_BYTES)
    throw new ToolError(`Cannot write ${JSON.stringify(inputPath)}: the limit is 64 MiB. Nothing was written.`, {
      code: "TOO_LARGE",
      details: { path: inputPath, expected: `at most ${MAX_READ_BYTES} bytes`, got: bytes.length },
    });
  const mode = content.state.kind === "file" ? content.state.mode : undefined;
  const after = fileStateOf(bytes, mode);
  const steps = isSame(content.state, after)
    ? []
    : [...folderSteps(located.folders), { kind: "put", path: realPath, before: content.state, after } as const];
  const draft: Draft = { steps, contents: contentsOf(content, { state: after, bytes }) };
  return { ...draft, realPath, before: content, bytes };
}

/** Drafts the deletion of a file or link. */
export async function draftDelete(access: FileAccess, inputPath: string, maxBytes: number) {
  const { realPath, content } = await locate(access, inputPath, { follow: false, maxBytes });
  const { state } = content;
  if (state.kind === "absent") await throwNotFound(access, inputPath);
  if (state.kind !== "link") requireFile(inputPath, state);
  const step: DraftStep = { kind: "put", path: realPath, before: state, after: ABSENT };
  return { steps: [step], contents: contentsOf(content), realPath, state };
}

/** Drafts a new folder and its missing parents. There are no steps if it exists. */
export async function draftFolder(access: FileAccess, inputPath: string) {
  const found = await access.stat(inputPath);
  if (found !== undefined) {
    if (!found.stats.isDirectory()) throw alreadyExists(inputPath);
    return { steps: [], contents: new Map(), realPath: found.realPath };
  }
  const { folders, realPath } = await locate(access, inputPath, { follow: true, maxBytes: 0 });
  return { steps: folderSteps([...folders, realPath]), contents: new Map(), realPath };
}

/** Options of a move. */
interface MoveOptions {
  /** Replaces a file at the new path. */
  readonly overwrite: boolean;
  readonly maxBytes: number;
}

/** Drafts a move of a file, link or folder. */
export async function draftMove(
  access: FileAccess,
  input: { readonly from: string; readonly to: string },
  { overwrite, maxBytes }: MoveOptions,
) {
  const from = await locate(access, input.from, { follow: false, maxBytes: 0 });
  const { state } = from.content;
  if (state.kind === "absent") await throwNotFound(access, input.from);
  if (state.kind === "special") throw wrongKind(input.from, state.words, "a file or a folder");
  rejectSettings(access, from.realPath, input.from);
  if (state.kind === "folder") await rejectProtectedInside(access, from.realPath, input.from);
  const to = await locate(access, input.to, { follow: false, maxBytes });
  rejectSettings(access, to.realPath, input.to);
  if (state.kind !== "folder") rejectTrailingSlash(input.to);
  if (to.realPath === from.realPath) throw alreadyExists(input.to);
  if (isWithin(from.realPath, to.realPath)) throw deniedPath(input.to, `it lies inside ${JSON.stringify(input.from)}`);
  const replaced = (await isSameEntry(access, from, to)) ? ABSENT : to.content.state;
  if (replaced.kind !== "absent") {
    if (!overwrite) throw alreadyExists(input.to);
    if (replaced.kind !== "link") requireFile(input.to, replaced);
    if (state.kind === "folder") throw wrongKind(input.from, "a folder", "a file, and only a file can replace a file");
  }
  const isReplaced = replaced.kind === "file" || replaced.kind === "link";
  const clear: DraftStep = { kind: "clear", path: to.realPath, before: replaced, after: ABSENT };
  const move: DraftStep = { kind: "move", path: from.realPath, to: to.realPath, before: state, after: state };
  const steps = [...folderSteps(to.folders), ...(isReplaced ? [clear] : []), move];
  const contents = contentsOf({ ...to.content, state: replaced });
  return { steps, contents, realPath: to.realPath, from: from.realPath, isReplaced };
}

/** Throws that nothing is at a path, with the name that was probably meant. */
export async function throwNotFound(access: FileAccess, inputPath: string): Promise<never> {
  // Opening the file finds a similar name.
  const file = await access.openFile(inputPath);
  await file.handle.close();
  throw notFound(access.displayPath(path.basename(inputPath)));
}

/** Throws if the configuration of the server is at a path, or would be: it is not moved with its folder, and not replaced. */
export function rejectSettings(access: FileAccess, realPath: string, inputPath = access.displayPath(realPath)): void {
  if (access.holdsSettings(realPath))
    throw deniedPath(inputPath, "it holds the settings of this server, which only a person may move");
}

/** Throws if a folder contains the configuration of the server or hidden files: a move must not reveal them. */
export async function rejectProtectedInside(
  access: FileAccess,
  folder: string,
  inputPath = access.displayPath(folder),
): Promise<void> {
  const left = [folder];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const parent = next;
    // Each folder has its own deadline: all of them together may take long.
    for (const entry of await access.withTimeout(inputPath, () => readdir(parent, { withFileTypes: true }))) {
      const child = path.join(parent, entry.name);
      if (!access.isVisible(child)) throw deniedPath(inputPath, "it contains something that this server hides");
      rejectSettings(access, child, inputPath);
      if (entry.isDirectory()) left.push(child);
    }
  }
}

/** A path that is about to be changed. */
interface Located {
  readonly realPath: string;
  /** The real paths of the missing parent folders, from the top. */
  readonly folders: readonly string[];
  readonly content: Content;
}

/** Reads what is at a path that the journal knows by its real path. Throws if the path leads elsewhere by now. */
export async function contentOf(access: FileAccess, realPath: string, maxBytes = 0): Promise<Content> {
  const located = await locate(access, realPath, { follow: false, maxBytes });
  if (located.realPath !== realPath) throw changedMeanwhile(access.displayPath(realPath));
  return located.content;
}

/** Finds what is at a path and which parent folders are missing. Nothing is created. */
async function locate(
  access: FileAccess,
  inputPath: string,
  { follow, maxBytes }: { readonly follow: boolean; readonly maxBytes: number },
): Promise<Located> {
  try {
    await using entry = await access.openEntry(inputPath, { follow });
    const content = await access.withTimeout(inputPath, () => contentAt(entry.path, maxBytes));
    return { realPath: entry.realPath, folders: [], content };
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "NOT_FOUND") throw error;
    return locateMissing(access, inputPath, error);
  }
}

async function locateMissing(access: FileAccess, inputPath: string, error: ToolError): Promise<Located> {
  const plainPath = inputPath.startsWith("file://") ? fileURLToPath(inputPath) : inputPath;
  const names: string[] = [];
  for (let at = path.resolve(access.roots[0] ?? "", plainPath); at !== path.dirname(at); at = path.dirname(at)) {
    names.unshift(path.basename(at));
    const parent = await access.stat(path.dirname(at));
    if (parent === undefined) continue;
    const realPaths = names.map((_name, index) => path.join(parent.realPath, ...names.slice(0, index + 1)));
    return { realPath: realPaths.at(-1) ?? "", folders: realPaths.slice(0, -1), content: { state: ABSENT } };
  }
  throw error;
}

/** Whether two names are one entry: on some disks names that differ in case are. Two hard links to one file are not. */
async function isSameEntry(access: FileAccess, from: Located, to: Located): Promise<boolean> {
  const { file } = to.content;
  if (file === undefined || file !== from.content.file) return false;
  const parent = path.dirname(to.realPath);
  await using folder = await access.openFolder(parent);
  const names = await access.withTimeout(parent, () => readdir(folder.path));
  return !names.includes(path.basename(to.realPath));
}

const folderSteps = (realPaths: readonly string[]): DraftStep[] =>
  realPaths.map((realPath) => ({ kind: "put", path: realPath, before: ABSENT, after: { kind: "folder" } }));

function contentsOf(...contents: readonly { readonly state: FileState; readonly bytes?: Uint8Array }[]) {
  const found = new Map<string, Uint8Array>();
  for (const { state, bytes } of contents)
    if (state.kind === "file" && bytes !== undefined) found.set(state.hash, bytes);
  return found;
}

/** A trailing slash means a folder in all programs. */
function rejectTrailingSlash(inputPath: string): void {
  if (inputPath.endsWith("/") || inputPath.endsWith(path.sep))
    throw wrongPath(inputPath, "a trailing slash means a folder; add the name of the file");
}

function requireFile(inputPath: string, state: FileState): void {
  if (state.kind === "folder") throw wrongKind(inputPath, "a folder", "a file");
  if (state.kind === "special") throw wrongKind(inputPath, state.words, "a file");
  if (state.kind === "link") throw wrongKind(inputPath, "a symbolic link", "a file");
}
