import type { ChangedFile } from "./changed-files.js";
import { PageBudget } from "./page.js";

/** What a patch came to: the text for each file, and where it goes on. */
export interface PatchTexts {
  readonly texts: ReadonlyMap<string, string>;
  /** The file in which the room ended, and how many lines of its patch are before that. */
  readonly stop: { readonly name: string; readonly line: number } | undefined;
}

/** A part of a file that differs, while it is read. */
interface Hunk {
  /** How many lines of the file's patch lie before it. */
  readonly line: number;
  readonly section: string;
  readonly start: readonly [before: number, after: number];
  readonly lines: string[];
  counts: [before: number, after: number];
}

/**
 * Reads the lines of a patch. It stops where the room ends: between two hunks if possible, else inside of one. Every piece that
 * it gives has the right line numbers.
 */
export class PatchReader {
  readonly #texts = new Map<string, string>();
  readonly #queue: readonly ChangedFile[];
  readonly #room: PageBudget;
  readonly #skip: number;
  #at = -1;
  #sections = 0;
  #line = 0;
  #next: [before: number, after: number] = [0, 0];
  #hunk: Hunk | undefined;
  #stop: PatchTexts["stop"];

  /** `files` are those whose patches come, in order; `skip` lines of the first are left out. */
  constructor(files: readonly ChangedFile[], skip: number, room: PageBudget = new PageBudget()) {
    this.#queue = files.filter(({ sections }) => sections > 0);
    this.#skip = skip;
    this.#room = room;
  }

  /** Takes the next line. False = there is no more room. */
  read(bytes: Buffer, lost: number): boolean {
    const first = String.fromCharCode(bytes[0] ?? 0);
    if (this.#hunk !== undefined && " +-\\".includes(first)) return this.#readLine(toText(bytes, lost), first);
    const text = bytes.toString("utf8");
    if (text.startsWith("diff --git ")) this.#readHead(text);
    else if (text.startsWith("@@ ")) return this.#readHunk(text);
    return true;
  }

  /** What was read. */
  end(): PatchTexts {
    this.#closeHunk();
    return { texts: this.#texts, stop: this.#stop };
  }

  #readHead(text: string): void {
    this.#closeHunk();
    if (this.#sections > 0) {
      this.#sections -= 1;
      return;
    }
    // A file may turn out to be the same after all, and is passed over; a name that git puts in quotes is the next one.
    const found = this.#queue.findIndex((each, at) => at > this.#at && text === headOf(each));
    this.#at = found === -1 ? this.#at + 1 : found;
    this.#line = 0;
    this.#sections = (this.#queue[this.#at]?.sections ?? 1) - 1;
  }

  #readHunk(text: string): boolean {
    this.#closeHunk();
    const [, before = "0", after = "0", section = ""] =
      /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/s.exec(text) ?? [];
    this.#open([Number(before), Number(after)], section.slice(0, 100));
    return true;
  }

  #open(start: [number, number], section: string): void {
    this.#next = [...start];
    this.#hunk = { line: this.#line, section, start, lines: [], counts: [0, 0] };
  }

  #readLine(text: string, first: string): boolean {
    const hunk = this.#hunk;
    if (hunk === undefined) return true;
    const step = [first === " " || first === "-" ? 1 : 0, first === " " || first === "+" ? 1 : 0] as const;
    this.#line += 1;
    this.#next = [this.#next[0] + step[0], this.#next[1] + step[1]];
    if (this.#at === 0 && this.#line <= this.#skip) {
      this.#open(this.#next, hunk.section);
      return true;
    }
    if (!this.#room.take(text)) return this.#end(hunk);
    hunk.lines.push(text);
    hunk.counts = [hunk.counts[0] + step[0], hunk.counts[1] + step[1]];
    return true;
  }

  /** A hunk that is not whole is left to the next page, unless it is all that there is on this one. */
  #end(hunk: Hunk): false {
    const isAll = this.#texts.size === 0;
    this.#stop = { name: this.#name, line: isAll ? this.#line - 1 : hunk.line };
    if (isAll) this.#closeHunk();
    this.#hunk = undefined;
    return false;
  }

  #closeHunk(): void {
    const hunk = this.#hunk;
    this.#hunk = undefined;
    if (hunk === undefined || hunk.lines.length === 0) return;
    const [before, after] = hunk.start;
    const head = `@@ -${before},${hunk.counts[0]} +${after},${hunk.counts[1]} @@${hunk.section}\n`;
    this.#texts.set(this.#name, `${this.#texts.get(this.#name) ?? ""}${head}${hunk.lines.join("\n")}\n`);
  }

  get #name(): string {
    return this.#queue[this.#at]?.name ?? "";
  }
}

const headOf = ({ name, from = name }: ChangedFile): string => `diff --git a/${from} b/${name}`;

function toText(bytes: Buffer, lost: number): string {
  const text = bytes.toString("utf8");
  return lost === 0 ? text : `${text}… (${lost} more bytes)`;
}
