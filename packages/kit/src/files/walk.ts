import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { TimeSlice } from "../time/index.js";
import { changedMeanwhile } from "./errors.js";
import type { FileAccess } from "./file-access.js";
import { OpenFolder } from "./file-handles.js";
import { entryKind, type Kind } from "./file-stats.js";
import { IgnoreRules } from "./ignore-rules.js";

/** How a walk goes. */
export interface WalkOptions {
  /** Goes through what git ignores too. */
  readonly ignored?: boolean | undefined;
  /** How many levels it goes down; 1 = the entries of the folder itself. */
  readonly depth?: number | undefined;
  /** Starts behind this entry: a path relative to the folder, such as one that an earlier walk has given. */
  readonly after?: string | undefined;
  /** Starts with that entry, not behind it. */
  readonly including?: boolean;
  /** Whether to go into a folder, by its path relative to the one walked. */
  readonly enters?: ((relativePath: string) => boolean) | undefined;
  /** Hears of a folder that could not be read. The walk goes on. */
  readonly skipped?: (relativePath: string, reason: string) => unknown;
}

/** An entry that a walk has found. It may no longer exist: open it with `FileAccess.openFound`. */
export interface Walked {
  /** The real path. */
  readonly realPath: string;
  /** The path relative to the folder that is walked, with forward slashes. */
  readonly relativePath: string;
  readonly name: string;
  readonly kind: Kind;
  /** 1 for the entries of the folder itself. */
  readonly depth: number;
}

/** A folder that is being gone through. */
interface Stage {
  readonly realPath: string;
  readonly relativePath: string;
  readonly entries: readonly Dirent[];
  /** What git ignores in it; undefined = nothing. */
  readonly rules: IgnoreRules | undefined;
  /** The names on the way to the entry behind which the walk starts, while it is on that way. */
  readonly after: readonly string[];
  next: number;
}

/**
 * Goes through a folder and all below it in the order of the names, each folder before what is in it. Links are shown and never
 * followed; `.git` and what the policy hides are passed over, and so is what git ignores. Memory holds the folders on the way
 * down, no more.
 */
export async function* walk(
  access: FileAccess,
  inputPath: string,
  options: WalkOptions = {},
): AsyncGenerator<Walked, void> {
  const stages = [await openStart(access, inputPath, options)];
  const slice = new TimeSlice();
  for (let stage = stages.at(-1); stage !== undefined; stage = stages.at(-1)) {
    if (slice.isOver) await slice.next(access.signal);
    const entry = stage.entries[stage.next];
    stage.next += 1;
    if (entry === undefined) stages.pop();
    else {
      const found = stat(access, stage, entry, stages.length);
      if (found === undefined) continue;
      // The entry itself was given by the walk that this one goes on from; what is in it was not.
      const isOnTheWay = entry.name === stage.after[0];
      if (!isOnTheWay || (options.including && stage.after.length === 1)) yield found;
      access.signal?.throwIfAborted();
      if (found.kind !== "directory" || found.depth >= (options.depth ?? Number.POSITIVE_INFINITY)) continue;
      if (options.enters?.(found.relativePath) === false) continue;
      const inside = await enter(access, stage, found, options);
      if (inside !== undefined) stages.push(inside);
    }
  }
}

async function openStart(access: FileAccess, inputPath: string, options: WalkOptions): Promise<Stage> {
  await using folder = await access.openFolder(inputPath);
  const entries = await access.withTimeout(inputPath, () => readdir(folder.path, { withFileTypes: true }));
  const { realPath } = folder;
  const rules = options.ignored ? undefined : await IgnoreRules.for(access, realPath);
  return {
    realPath,
    relativePath: "",
    entries: sorted(entries),
    rules,
    after: options.after?.split("/") ?? [],
    next: 0,
  };
}

/** Opens a folder that the walk has come by; undefined where it cannot be read. */
async function enter(
  access: FileAccess,
  stage: Stage,
  found: Walked,
  options: WalkOptions,
): Promise<Stage | undefined> {
  const { realPath, relativePath } = found;
  try {
    const shown = access.displayPath(realPath);
    const entries = await access.withTimeout(shown, () => list(shown, realPath));
    const rules = await stage.rules?.relativePath(realPath, new Set(entries.map(({ name }) => name)));
    const after = found.name === stage.after[0] ? stage.after.slice(1) : [];
    return { realPath, relativePath, entries: sorted(entries), rules, after, next: 0 };
  } catch (error) {
    // A folder may vanish or be closed to us; a disk that hangs concerns all of them.
    if (!(error instanceof ToolError) || error.code === "TIMEOUT") throw error;
    options.skipped?.(relativePath, error.message);
    return undefined;
  }
}

async function list(shown: string, realPath: string): Promise<readonly Dirent[]> {
  await using folder = await OpenFolder.open(shown, realPath);
  // A link that was put on the way would lead elsewhere.
  if (folder.realPath !== realPath) throw changedMeanwhile(shown);
  return await readdir(folder.path, { withFileTypes: true });
}

/** What an entry is; undefined where it is to be passed over. */
function stat(access: FileAccess, stage: Stage, entry: Dirent, depth: number): Walked | undefined {
  const { name } = entry;
  const [first] = stage.after;
  if (name === ".git" || (first !== undefined && name < first)) return undefined;
  const realPath = path.join(stage.realPath, name);
  const { kind } = entryKind(entry);
  if (stage.rules?.ignores(realPath, kind === "directory") || !access.isVisible(realPath)) return undefined;
  return {
    realPath,
    relativePath: stage.relativePath === "" ? name : `${stage.relativePath}/${name}`,
    name,
    kind,
    depth,
  };
}

const sorted = (entries: readonly Dirent[]): readonly Dirent[] =>
  entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
