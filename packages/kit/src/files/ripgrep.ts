import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { spawnChild } from "@toolwright/engine/transport";
import { TimeLimit } from "../time/index.js";

/** Where ripgrep is: the one that came with the package, or one on the PATH; undefined where there is none. */
export async function findRipgrep(): Promise<string | undefined> {
  try {
    const { rgPath } = await import("@vscode/ripgrep");
    return rgPath;
  } catch {
    return findOnPath();
  }
}

async function findOnPath(): Promise<string | undefined> {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  // A relative folder on the PATH would be one of whatever project the server was started in.
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const paths = folders.map((folder) => path.join(folder, name));
  const found = await Promise.all(
    paths.map((realPath) =>
      access(realPath, constants.X_OK).then(
        () => realPath,
        () => undefined,
      ),
    ),
  );
  return found.find((realPath) => realPath !== undefined);
}

/** Bytes that are no UTF-8. Text in other encodings is not for ripgrep to judge, so each such file is worth a look. */
const NO_UTF8 = [
  String.raw`[\xC0\xC1\xF5-\xFF]`,
  String.raw`[\xC2-\xDF\xE1-\xEC\xEE\xEF\xF1-\xF3](?:[^\x80-\xBF]|$)`,
  String.raw`\xE0(?:[^\xA0-\xBF]|$)|\xED(?:[^\x80-\x9F]|$)|\xF0(?:[^\x90-\xBF]|$)|\xF4(?:[^\x80-\x8F]|$)`,
  String.raw`[\xE0-\xF4][\x80-\xBF](?:[^\x80-\xBF]|$)|[\xF0-\xF4][\x80-\xBF]{2}(?:[^\x80-\xBF]|$)`,
  String.raw`(?:^|[\x00-\x7F])[\x80-\xBF]|[\xC2-\xDF][\x80-\xBF]{2}|[\xE0-\xEF][\x80-\xBF]{3}|[\xF0-\xF4][\x80-\xBF]{4}`,
].join("|");

/**
 * `--mmap`: a line may be as long as the file, and is then not copied. `--text`: the caller recognizes binary files itself. Links are
 * never followed, because only files that the walk has found are named.
 */
const OPTIONS = [
  "--no-config",
  "--files-with-matches",
  "--null",
  "--no-messages",
  "--text",
  "--crlf",
  "--mmap",
  "--color=never",
];

/** What ripgrep is asked. */
export interface RipgrepOptions {
  readonly program: string;
  readonly pattern: string;
  readonly folder: string;
  /** Paths relative to the folder. */
  readonly files: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly limitMs: number;
}

/** The files that are worth a look, of those that are given; undefined where ripgrep cannot tell. */
export async function findCandidates(options: RipgrepOptions): Promise<ReadonlySet<string> | undefined> {
  using limit = new TimeLimit(options.limitMs, options.signal);
  const named = options.files.map((file) => `./${file}`);
  const args = [...OPTIONS, "-e", options.pattern, "-e", `(?-u:${NO_UTF8})`, "--", ...named];
  const env = { SystemRoot: process.env["SystemRoot"] };
  const pieces: Buffer[] = [];
  const exitCode = await new Promise<number | null>((resolve) => {
    const child = spawnChild(limit, options.program, args, { cwd: options.folder, env, graceMs: 0 });
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.stderr.resume();
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  options.signal?.throwIfAborted();
  if (limit.isOver || (exitCode !== 0 && exitCode !== 1)) return undefined;
  const found = Buffer.concat(pieces).toString("utf8").split("\0");
  return new Set(found.map((file) => file.replace(/^\.[\\/]/, "").replaceAll(path.sep, "/")));
}
