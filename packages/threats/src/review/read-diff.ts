import { ToolError } from "@toolwright/engine";
import type { Fragment } from "./scan-text.js";

/** What a difference says of one file. */
export interface ChangedFile {
  readonly path: string;
  readonly fragments: readonly Fragment[];
}

/** A difference, as far as it was read. */
export interface ReadDiff {
  readonly files: readonly ChangedFile[];
  /** Files that were left out because there are too many. */
  readonly leftOut: number;
  /** Files of a merge, whose difference has several old sides. */
  readonly merged: readonly string[];
}

/** How many files of a difference are looked at. */
export const MAX_FILES = 500;

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** How git begins the difference of a file that was merged. */
const MERGE = /^diff --(?:cc|combined) /;

/** Reads a unified difference, as git and diff write it. Throws a `ToolError` for a text that is none. */
export function readDiff(text: string): ReadDiff {
  const lines = text.split(/\r?\n/);
  const files = new Map<string, Fragment[]>();
  const merged: string[] = [];
  let from = "";
  let path: string | undefined;
  let isDiff = text.trim() === "";
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const hunk = path === undefined && !isDiff ? null : HUNK.exec(line);
    if (hunk !== null && path !== undefined) {
      const { fragment, next } = readHunk(path, hunk, lines, at + 1);
      const fragments = files.get(path);
      if (fragment.changed?.size !== 0 && fragments !== undefined) fragments.push(fragment);
      else if (fragment.changed?.size !== 0) files.set(path, [fragment]);
      at = next;
      continue;
    }
    if (line.startsWith("--- ")) from = nameIn(line.slice(4));
    else if (line.startsWith("+++ ")) path = newName(from, nameIn(line.slice(4)));
    else if (line.startsWith("diff --git ")) path = undefined;
    else if (MERGE.test(line)) merged.push(nameIn(line.replace(MERGE, "")));
    isDiff ||= /^(?:diff --(?:git|cc|combined) |\+\+\+ |Binary files )/.test(line);
    at += 1;
  }
  if (!isDiff) throw noDiff();
  const found = [...files].map(([name, fragments]) => ({ path: name, fragments }));
  return { files: found.slice(0, MAX_FILES), leftOut: Math.max(0, found.length - MAX_FILES), merged };
}

function readHunk(
  file: string,
  [, before = "1", start = "1", after = "1"]: RegExpExecArray,
  lines: readonly string[],
  from: number,
): { readonly fragment: Fragment; readonly next: number } {
  const firstLine = Math.max(1, Number(start));
  const kept: string[] = [];
  const changed = new Set<number>();
  let [old, fresh, at] = [Number(before), Number(after), from];
  for (; at < lines.length && (old > 0 || fresh > 0); at += 1) {
    const line = lines[at] ?? "";
    const sign = line[0] ?? " ";
    if (sign === "+") changed.add(firstLine + kept.length);
    if (sign === "+" || sign === " ") {
      kept.push(line.slice(1));
      fresh -= 1;
    }
    if (sign === "-" || sign === " ") old -= 1;
    if (!"+- \\".includes(sign)) break;
  }
  const isNew = before === "0";
  return { fragment: { file, text: kept.join("\n"), firstLine, isCut: !isNew, changed }, next: at };
}

/** The name without what follows a tab, and without the quotes in which git puts odd ones. */
function nameIn(written: string): string {
  const name = written.replace(/\t.*$/s, "").trimEnd();
  if (!/^".*"$/s.test(name)) return name;
  const bytes = [...name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)].map(([, octal, sign, plain]) =>
    octal === undefined
      ? Buffer.from(plain ?? ESCAPES[sign ?? ""] ?? sign ?? "")
      : Buffer.from([Number.parseInt(octal, 8)]),
  );
  return Buffer.concat(bytes).toString();
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** What git writes before the names: a/ and b/, or with diff.mnemonicPrefix letters for commit, index, object and working tree. */
const PREFIXED = { from: /^[aciow]\//, to: /^[bciow]\// } as const;

/** The name of the file as it is now; undefined = it is gone. */
function newName(from: string, to: string): string | undefined {
  if (to === "/dev/null") return undefined;
  const isNew = from === "/dev/null" && to.startsWith("b/");
  const isPrefixed = isNew || (PREFIXED.from.test(from) && PREFIXED.to.test(to) && from[0] !== to[0]);
  return isPrefixed ? to.slice(2) : to.replace(/^\.\//, "");
}

const noDiff = (): ToolError =>
  new ToolError(
    'Cannot read the difference: it has no line that begins with "+++" or "diff --git". Give the output of git diff, or give files.',
    { code: "INVALID_ARGUMENTS" },
  );
