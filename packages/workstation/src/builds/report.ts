import path from "node:path";
import { fileURLToPath } from "node:url";
import { isWithin } from "@toolwright/kit/files";
import { addCounts, type Counts, type Failure, type Parser } from "./findings.js";

/** What the output of a run comes to. */
export interface Report {
  readonly failures: readonly Failure[];
  readonly counts?: Counts;
  /** The last lines, as people would read them. */
  readonly tail: string;
}

/** How many failures of a run are kept. */
const MOST_FAILURES = 2000;
const TAIL_LINES = 30;
const TAIL_CHARACTERS = 3000;

/** Reads the output of a run, stdout before stderr, with the parsers of its plan; `latest` is the end of it in the order it came. Files are shown the way `show` says. */
export function toReport(
  { output, latest }: { readonly output: string; readonly latest: string },
  { parsers, fallback }: { readonly parsers: readonly Parser[]; readonly fallback?: Parser | undefined },
  show: (file: string) => string,
): Report {
  const found = parsers.map((parse) => parse(output));
  const failures = found.flatMap((each) => each.failures);
  const all = failures.length > 0 || fallback === undefined ? failures : fallback(output).failures;
  const shown = all.map((each) => (each.file === undefined ? each : { ...each, file: show(each.file) }));
  const unique = [...new Map(shown.map((each) => [JSON.stringify(each), each])).values()];
  const errors = unique.filter((each) => each.severity === "error");
  const warnings = unique.filter((each) => each.severity === "warning");
  const plain = found.map((each) => each.plain).find((each) => each !== undefined);
  return {
    failures: [...errors, ...warnings].slice(0, MOST_FAILURES),
    ...addCounts([found.map((each) => each.counts).find((each) => each !== undefined)]),
    tail: lastLines(plain || latest),
  };
}

function lastLines(text: string): string {
  const lines = text.trimEnd().split("\n").slice(-TAIL_LINES);
  return lines.join("\n").slice(-TAIL_CHARACTERS);
}

/** Makes the way to show files of a run that went on in `folder`: as other tools take them, where they lie inside the roots. */
export function shownFrom(
  folder: string,
  { roots, show }: { readonly roots: readonly string[]; readonly show: (place: string) => string },
): (file: string) => string {
  return (file) => {
    const place = path.resolve(folder, file.startsWith("file:") ? toPath(file) : file);
    const isInside = roots.some((root) => isWithin(root, place));
    return isInside ? show(place) : file;
  };
}

function toPath(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}
