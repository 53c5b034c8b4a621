import { ToolError } from "@toolwright/engine";
import { Page, PageBudget } from "./page.js";
import type { Repository } from "./repository.js";
import { NEWLINE, NUL, Splitter, toName } from "./splitter.js";

/** What a commit has at a path. */
export interface Shown {
  readonly kind: "file" | "symlink" | "directory" | "submodule";
  readonly hash: string;
  /** Bytes, of a file. */
  readonly size?: number;
  readonly binary?: true;
  readonly text?: string;
  /** The names in a folder; folders end with a slash. */
  readonly entries?: readonly string[];
  /** The line or entry with which the next page starts. */
  readonly next?: number;
}

const MOST_LINE_BYTES = 4000;
const MOST_ENTRIES = 500;
/** Git, too, searches this many bytes for a zero to recognize binary files. */
const HEAD_BYTES = 8000;

/** Reads what a commit has at a path, from a line or an entry on. */
export async function showPath(repository: Repository, commit: string, name: string, start: number): Promise<Shown> {
  if (name === ".") return showFolder(repository, commit, name, start);
  const operation = `read ${JSON.stringify(name)}`;
  const { output } = await repository.run(["ls-tree", "-z", "--long", "--full-tree", commit, "--", name], {
    operation,
  });
  const [, mode, type, hash = "", size] = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t/.exec(output.toString("latin1")) ?? [];
  if (mode === undefined)
    throw new ToolError(`${JSON.stringify(name)} is not in that commit.`, {
      code: "NOT_FOUND",
      hint: { action: "find the commits that changed it", tool: "git_log", arguments: { path: name } },
      details: { path: name },
    });
  if (type === "commit") return { kind: "submodule", hash };
  if (type === "tree") return showFolder(repository, hash, name, start);
  const kind = mode === "120000" ? "symlink" : "file";
  return { kind, hash, size: Number(size), ...(await readBlob(repository, hash, start)) };
}

async function showFolder(repository: Repository, tree: string, name: string, start: number): Promise<Shown> {
  const page = new Page<string>(start - 1, MOST_ENTRIES);
  const splitter = new Splitter(NUL, 64 * 1024, (record) => {
    const tab = record.indexOf("\t");
    const entry = toName(record.subarray(tab + 1));
    const isFolder = record.toString("latin1", 0, tab).includes(" tree ");
    if (!repository.mayShow(name === "." ? entry : `${name}/${entry}`)) return true;
    return page.add(isFolder ? `${entry}/` : entry);
  });
  await repository.stream(["ls-tree", "-z", "--full-tree", tree], { operation: "read the folder" }, (piece) =>
    splitter.add(piece),
  );
  return {
    kind: "directory",
    hash: tree,
    entries: page.entries,
    ...(page.next !== undefined && { next: page.next + 1 }),
  };
}

async function readBlob(
  repository: Repository,
  hash: string,
  start: number,
): Promise<Pick<Shown, "text" | "binary" | "next">> {
  const room = new PageBudget();
  let text = "";
  let line = 0;
  let next: number | undefined;
  let head = 0;
  let isBinary = false;
  const splitter = new Splitter(NEWLINE, MOST_LINE_BYTES, (bytes, lost) => {
    line += 1;
    if (line < start) return true;
    const shown = `${bytes.toString("utf8")}${lost === 0 ? "" : `… (${lost} more bytes)`}\n`;
    if (!room.take(shown)) {
      next = line;
      return false;
    }
    text += shown;
    return true;
  });
  let endsWithNewline = true;
  await repository.stream(["cat-file", "blob", hash], { operation: "read the file" }, (piece) => {
    if (head < HEAD_BYTES) isBinary ||= piece.subarray(0, HEAD_BYTES - head).includes(0);
    head += piece.length;
    endsWithNewline = piece.at(-1) === NEWLINE;
    return !isBinary && splitter.add(piece);
  });
  if (isBinary) return { binary: true };
  const isEnd = next === undefined;
  splitter.end();
  const isWhole = isEnd && next === undefined && !endsWithNewline;
  return { text: isWhole ? text.slice(0, -1) : text, ...(next !== undefined && { next }) };
}
