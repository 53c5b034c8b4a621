import { addCounts, type Findings, failure, numberIn, placeInStack, toLines } from "../findings.js";

const BULLET = /^ {2}● (?<test>.+)$/;

/** Reads the bullets that Jest writes below the files that failed. */
export function jest(text: string): Findings {
  const lines = toLines(text);
  let file: string | undefined;
  const seen = new Set<string>();
  const failures = lines.flatMap((line, at) => {
    file = /^(?:FAIL|PASS) (?:\S+ )??(\S+\.\w+)(?: \(.*\))?\s*$/.exec(line)?.[1] ?? file;
    const test = BULLET.exec(line)?.groups?.["test"]?.trim();
    if (file === undefined || test === undefined || seen.has(`${file} ${test}`)) return [];
    seen.add(`${file} ${test}`);
    const next = lines.slice(at + 1, at + 200);
    const end = next.findIndex(
      (each) => BULLET.test(each) || /^(?:FAIL|PASS|Tests:|Test Suites:|Summary of all)/.test(each),
    );
    const block = end < 0 ? next : next.slice(0, end);
    const code = block.findIndex((each) => /^\s+>? *\d+ \||^\s+at /.test(each));
    const message = (code < 0 ? block : block.slice(0, code)).map((each) => each.trim()).join("\n");
    const place = placeInStack(block.filter((each) => /^\s+at /.test(each)));
    const isWholeFile = test === "Test suite failed to run";
    return [failure({ file, ...place, test: isWholeFile ? undefined : test }, message.trim() || test)];
  });
  const summary = lines.findLast((line) => /^Tests: {2,}/.test(line));
  const counts = summary && {
    passed: numberIn(summary, /(\d+) passed/),
    failed: numberIn(summary, /(\d+) failed/),
    skipped: numberIn(summary, /(\d+) skipped/) + numberIn(summary, /(\d+) todo/),
  };
  return { failures, ...addCounts([counts || undefined]) };
}
