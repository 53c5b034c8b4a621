import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { deniedPath } from "../files/errors.js";
import { Page, shorten } from "./page.js";
import type { Repository } from "./repository.js";
import { checkInside } from "./repository.js";
import { NEWLINE, Splitter } from "./splitter.js";
import { invalidGitArgument } from "./start-git.js";

/** A line and who wrote it; without a hash it is not committed yet. */
export interface BlamedLine {
  readonly line: number;
  readonly hash?: string;
  readonly author?: string;
  readonly date?: string;
  readonly text: string;
}

/** Which lines are wanted. */
export interface BlameOptions {
  readonly name: string;
  /** The commit whose lines are meant; the working file by default. */
  readonly commit: string | undefined;
  readonly start: number;
  readonly limit: number;
}

const MOST_CHARACTERS = 500;

/** Reads who wrote some lines of a file, and where the next ones start. */
export async function readBlame(
  repository: Repository,
  { name, commit, start, limit }: BlameOptions,
): Promise<{ readonly lines: readonly BlamedLine[]; readonly next: number | undefined }> {
  await checkIgnoreFiles(repository);
  const page = new Page<BlamedLine>(0, limit);
  const reader = new BlameReader((line) => page.add(line));
  const splitter = new Splitter(NEWLINE, 8 * 1024, (line) => reader.read(line));
  const range = `-L${start},${start + limit}`;
  try {
    await repository.stream(
      [
        "blame",
        "--porcelain",
        "--no-textconv",
        "--no-progress",
        range,
        ...(commit === undefined ? [] : [commit]),
        "--",
        name,
      ],
      { operation: `find out who wrote ${JSON.stringify(name)}` },
      (piece) => splitter.add(piece),
    );
  } catch (error) {
    return { lines: noLines(error, name), next: undefined };
  }
  splitter.end();
  return { lines: page.entries, next: page.next === undefined ? undefined : start + page.next };
}

/** Git repeats the first line of such a file where it is none; it must not be one from outside the roots. */
async function checkIgnoreFiles({ access, top, config }: Repository): Promise<void> {
  for (const file of config.ignoreFiles) {
    if (/^[~%]/.test(file))
      throw deniedPath(file, "blame.ignoreRevsFile of .git/config must name a file in the repository");
    await checkInside(access, path.resolve(top, file));
  }
}

/** A file that is empty has no lines; any other range that is not there is a mistake. */
function noLines(error: unknown, name: string): readonly BlamedLine[] {
  const said = error instanceof ToolError ? error.details["git"] : undefined;
  const words = typeof said === "string" ? said : "";
  const [, count] = /has only (\d+) lines?/.exec(words) ?? [];
  if (count === "0") return [];
  if (count !== undefined) throw invalidGitArgument(`${JSON.stringify(name)} has only ${count} lines.`, { path: name });
  if (/no such path|bad revision 'HEAD'|does not exist in|no such ref/i.test(words))
    throw new ToolError(`${JSON.stringify(name)} is not in that commit, so git knows nothing of its lines.`, {
      code: "NOT_FOUND",
      details: { path: name },
    });
  throw error;
}

/** Reads the lines of `git blame --porcelain`: what is known of a commit comes with the first of its lines. */
class BlameReader {
  readonly #commits = new Map<string, Map<string, string>>();
  readonly #give: (line: BlamedLine) => boolean;
  #hash = "";
  #line = 0;

  constructor(give: (line: BlamedLine) => boolean) {
    this.#give = give;
  }

  read(bytes: Buffer): boolean {
    const text = bytes.toString("utf8");
    if (text.startsWith("\t")) return this.#give(this.#toLine(text.slice(1)));
    const [, hash, line] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(text) ?? [];
    if (hash !== undefined) {
      this.#hash = hash;
      this.#line = Number(line);
      if (!this.#commits.has(hash)) this.#commits.set(hash, new Map());
      return true;
    }
    const space = text.indexOf(" ");
    if (space > 0) this.#commits.get(this.#hash)?.set(text.slice(0, space), text.slice(space + 1));
    return true;
  }

  #toLine(text: string): BlamedLine {
    const shown = { line: this.#line, text: shorten(text.replace(/\r$/, ""), MOST_CHARACTERS) };
    if (/^0+$/.test(this.#hash)) return shown;
    const about = this.#commits.get(this.#hash);
    const seconds = Number(about?.get("author-time") ?? 0);
    return {
      ...shown,
      hash: this.#hash,
      author: about?.get("author") ?? "",
      date: isoDate(seconds, about?.get("author-tz") ?? "+0000"),
    };
  }
}

/** A moment as its author's clock showed it. */
function isoDate(seconds: number, zone: string): string {
  const [, sign = "+", hours = "00", minutes = "00"] = /^([+-])(\d{2})(\d{2})$/.exec(zone) ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  const local = new Date((seconds + shift) * 1000);
  if (Number.isNaN(local.getTime())) return "";
  return `${local.toISOString().slice(0, 19)}${sign}${hours}:${minutes}`;
}
