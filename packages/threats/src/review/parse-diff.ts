import { ToolError } from "@toolwright/engine";
import type { Fragment } from "./scan-text.js";

/** A changed file of a diff. */
export interface ChangedFile {
  readonly path: string;
  readonly fragments: readonly Fragment[];
}

/** A parsed diff. */
export interface ParsedDiff {
  readonly files: readonly ChangedFile[];
  /** The number of files beyond the limit. */
  readonly leftOut: number;
  /** Files in combined diffs of merges, which are not parsed. */
  readonly merged: readonly string[];
}

/** The maximum number of files of a diff. */
export const MAX_FILES = 500;

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The header of a combined diff. */
const COMBINED_HEADER = /^diff --(?:cc|combined) /;

/** Parses a unified diff of git or diff. Throws a `ToolError` if the text is not a diff. */
export function parseDiff(text: string): ParsedDiff {
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
    if (line.startsWith("--- ")) from = parseName(line.slice(4));
    else if (line.startsWith("+++ ")) path = newPath(from, parseName(line.slice(4)));
    else if (line.startsWith("diff --git ")) path = undefined;
    else if (COMBINED_HEADER.test(line)) merged.push(parseName(line.replace(COMBINED_HEADER, "")));
    isDiff ||= /^(?:diff --(?:git|cc|combined) |\+\+\+ |Binary files )/.test(line);
    at += 1;
  }
  if (!isDiff) throw notDiff();
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
  let [oldLeft, newLeft, at] = [Number(before), Number(after), from];
  for (; at < lines.length && (oldLeft > 0 || newLeft > 0); at += 1) {
    const line = lines[at] ?? "";
    const sign = line[0] ?? " ";
    if (sign === "+") changed.add(firstLine + kept.length);
    if (sign === "+" || sign === " ") {
      kept.push(line.slice(1));
      newLeft -= 1;
    }
    if (sign === "-" || sign === " ") oldLeft -= 1;
    if (!"+- \\".includes(sign)) break;
  }
  const isNew = before === "0";
  return { fragment: { file, text: kept.join("\n"), firstLine, isCut: !isNew, changed }, next: at };
}

/** Parses a file name: removes the timestamp after a tab, and the quotes and escapes of git. */
function parseName(written: string): string {
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

/** The prefixes of git: a/ and b/, or with diff.mnemonicPrefix the initial of commit, index, object or working tree. */
const PREFIXES = { from: /^[aciow]\//, to: /^[bciow]\// } as const;

/** Returns the new path of a file, or undefined if it was deleted. */
function newPath(from: string, to: string): string | undefined {
  if (to === "/dev/null") return undefined;
  const isNew = from === "/dev/null" && to.startsWith("b/");
  const isPrefixed = isNew || (PREFIXES.from.test(from) && PREFIXES.to.test(to) && from[0] !== to[0]);
  return isPrefixed ? to.slice(2) : to.replace(/^\.\//, "");
}

const notDiff = (): ToolError =>
  new ToolError(
    'Cannot parse the diff: it has no line that begins with "+++" or "diff --git". Give the output of git diff, or give files.',
    { code: "INVALID_ARGUMENTS" },
  );
