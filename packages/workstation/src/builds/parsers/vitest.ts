import {
  addCounts,
  type Counts,
  type Failure,
  type Findings,
  failure,
  numberIn,
  placeInStack,
  toLines,
} from "../findings.js";

const HEAD = /^ FAIL {2}(?:\|[^|]+\| )?(?<file>[^\s>]+\.\w+)(?: \[ .* \])?(?: > (?<test>.*?))?\s*$/;
const END = /^[⎯─]{3,}|^ (?:Test Files|Tests) /;

/** Reads the list of failed tests that Vitest writes at the end. */
export function vitest(text: string): Findings {
  const lines = toLines(text);
  const failures = lines.flatMap((line, at) => readBlock(line, lines, at));
  const summary = lines.findLast((line) => /^ +Tests {2}/.test(line));
  return { failures, ...addCounts([summary === undefined ? undefined : countsOf(summary)]) };
}

function readBlock(line: string, lines: readonly string[], at: number): Failure[] {
  const { file, test } = HEAD.exec(line)?.groups ?? {};
  if (file === undefined) return [];
  const next = lines.slice(at + 1, at + 200);
  const end = next.findIndex((each) => END.test(each) || HEAD.test(each));
  const block = end < 0 ? next : next.slice(0, end);
  const trace = block.findIndex((each) => each.startsWith(" ❯ "));
  const message = (trace < 0 ? block : block.slice(0, trace)).join("\n").trim();
  const place = placeInStack(trace < 0 ? [] : block.slice(trace).filter((each) => each.startsWith(" ❯ ")));
  return message === "" ? [] : [failure({ ...place, file: place.file ?? file, test }, message)];
}

const countsOf = (line: string): Counts => ({
  passed: numberIn(line, /(\d+) passed/),
  failed: numberIn(line, /(\d+) failed/),
  skipped: numberIn(line, /(\d+) skipped/) + numberIn(line, /(\d+) todo/),
});
