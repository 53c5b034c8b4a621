import path from "node:path";
import type { FileAccess } from "./file-access.js";
import { sizeInJson } from "./fit-to-budget.js";
import { type Walked, walk } from "./walk.js";

/** Which part of a tree is wanted. */
export interface TreeOptions {
  readonly path: string;
  readonly depth: number;
  readonly limit: number;
  readonly ignored: boolean;
  readonly after?: string | undefined;
}

/** A tree: as lines to read, and as paths. */
export interface Tree {
  readonly lines: string[];
  readonly path: string;
  readonly entries: string[];
  readonly skipped?: string[];
  readonly next?: { after: string };
}

/** How many bytes of JSON the paths may have. */
const ROOM = 30_000;
const MOST_SKIPPED = 20;

const MARKS: Readonly<Record<string, string>> = { directory: "/", symlink: "@" };

/** Draws what is below a folder, as far down as is wanted and as much as there is room for. */
export async function drawTree(
  access: FileAccess,
  { path: inputPath, depth, limit, ignored, after }: TreeOptions,
): Promise<Tree> {
  const lines: string[] = [];
  const entries: string[] = [];
  const skipped: string[] = [];
  let room = ROOM;
  let last: string | undefined;
  let next: { after: string } | undefined;
  const steps = walk(access, inputPath, {
    depth,
    ignored,
    after,
    skipped: (relativePath) => skipped.length < MOST_SKIPPED && skipped.push(relativePath),
  });
  for await (const entry of steps) {
    const mark = MARKS[entry.kind] ?? "";
    room -= sizeInJson(entry.relativePath) + mark.length + 1;
    if (last !== undefined && (entries.length === limit || room < 0)) {
      next = { after: last };
      break;
    }
    lines.push(...headings(last, entry), `${indent(entry.depth)}${visible(entry.name)}${mark}`);
    entries.push(entry.relativePath + mark);
    last = entry.relativePath;
  }
  const found = await access.stat(inputPath);
  const shown = access.displayPath(found?.realPath ?? inputPath);
  return { lines, path: shown, entries, ...(skipped.length > 0 && { skipped }), ...(next && { next }) };
}

/** A page that starts inside a folder names the folders on the way first. */
function headings(last: string | undefined, { relativePath }: Walked): readonly string[] {
  if (last !== undefined) return [];
  const folder = path.posix.dirname(relativePath);
  return folder === "." ? [] : folder.split("/").map((name, at) => `${indent(at + 1)}${visible(name)}/`);
}

const indent = (depth: number): string => "  ".repeat(depth - 1);

/** A name on one line, whatever is in it. */
const visible = (name: string): string => (/\p{Cc}/u.test(name) ? JSON.stringify(name) : name);
