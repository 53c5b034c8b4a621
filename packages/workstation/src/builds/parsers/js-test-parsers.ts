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

/** Reads the list of failed tests at the end of the output of Vitest. */
export function parseVitest(text: string): Findings {
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

const BULLET = /^ {2}● (?<test>.+)$/;

/** Reads the failed tests (●) in the output of Jest. */
export function parseJest(text: string): Findings {
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

/** Reads the numbered list of failures in the output of Mocha. */
export function parseMocha(text: string): Findings {
  const lines = toLines(text);
  const start = lines.findLastIndex((line) => /^ {2}\d+ passing \(/.test(line));
  if (start < 0) return { failures: [] };
  const after = lines.slice(start);
  const counts = {
    passed: numberIn(after.join("\n"), /^ {2}(\d+) passing/m),
    failed: numberIn(after.join("\n"), /^ {2}(\d+) failing/m),
    skipped: numberIn(after.join("\n"), /^ {2}(\d+) pending/m),
  };
  const heads = after.flatMap((line, at) => (/^ {2}\d+\) /.test(line) ? [at] : []));
  const failures = heads.map((head, index) => {
    const block = after.slice(head, heads[index + 1] ?? head + 200);
    // The titles end with a colon; the error follows.
    const colon = block.findIndex((line) => line.endsWith(":"));
    const titles = block.slice(0, colon + 1).map((line) => line.trim());
    const test = titles
      .join(" ")
      .replace(/^\d+\) /, "")
      .replace(/:$/, "");
    const rest = block.slice(colon + 1);
    const trace = rest.findIndex((line) => /^\s+at /.test(line));
    const message = (trace < 0 ? rest : rest.slice(0, trace)).map((line) => line.trim()).join("\n");
    return failure({ ...placeInStack(trace < 0 ? [] : rest.slice(trace)), test }, message);
  });
  return { failures, ...addCounts([counts]) };
}

/** Reads the output of the Node.js test runner: TAP, or the list of failed tests of the `spec` reporter. */
export function parseNodeTest(text: string): Findings {
  const isTap = /^TAP version \d+$/m.test(text);
  const isSpec = /^ℹ tests \d+$/m.test(text);
  if (!isTap && !isSpec) return { failures: [] };
  const count = (name: string): number => numberIn(text, new RegExp(`^(?:#|ℹ) ${name} (\\d+)$`, "m"));
  const failures = isTap ? readTap(toLines(text)) : readSpec(toLines(text));
  return {
    failures,
    ...addCounts([
      {
        passed: count("pass") - countFiles(text),
        failed: count("fail") + count("cancelled"),
        skipped: count("skipped") + count("todo"),
      },
    ]),
  };
}

/** A file without a test is reported as a passed test named after its path. */
const FILE =
  /^(?:ok \d+ - |✔ )(?:(?:\/|[A-Za-z]:\\).*|(?:\S*[/\\])?(?:test|test-\S+|\S+[-._]test|test[/\\]\S+))\.[cm]?[jt]s(?: \([\d.]+ms\))?$/gm;

const countFiles = (text: string): number => text.match(FILE)?.length ?? 0;

function readTap(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const [, indent = "", test] = /^( *)not ok \d+ - (.*?)(?: # (?:SKIP|TODO).*)?$/.exec(line) ?? [];
    if (test === undefined || / # (?:SKIP|TODO)/.test(line)) return [];
    const rest = lines.slice(at + 1, at + 200);
    const end = rest.indexOf(`${indent}  ...`);
    const block = end < 0 ? rest : rest.slice(0, end);
    const field = (name: string): string | undefined =>
      block.find((each) => each.startsWith(`${indent}  ${name}: `))?.slice(indent.length + name.length + 4);
    // A parent test fails only because of its subtests.
    if (field("failureType")?.includes("subtestsFailed")) return [];
    const message = blockText(block, indent, "error") ?? unescaped(test);
    const [, file, row, column] = /^'?(?:file:\/\/)?(.*):(\d+):(\d+)'?$/.exec(field("location") ?? "") ?? [];
    const stack = (blockText(block, indent, "stack") ?? "").split("\n");
    return [failure({ file, line: row, column, ...placeInStack(stack), test: unescaped(test) }, message)];
  });
}

/** In TAP, `#` ends the name unless it is escaped with a backslash. */
const unescaped = (name: string): string => name.replaceAll(/\\([\\#])/g, "$1");

/** A field that may continue on more indented lines. */
function blockText(block: readonly string[], indent: string, name: string): string | undefined {
  const start = block.findIndex((each) => each.startsWith(`${indent}  ${name}: `));
  if (start < 0) return undefined;
  const first = block[start]?.slice(indent.length + name.length + 4) ?? "";
  if (!/^[|>]-?$/.test(first)) return first.replaceAll(/^'|'$/g, "");
  const rest = block.slice(start + 1);
  const end = rest.findIndex((each) => each.trim() !== "" && !each.startsWith(`${indent}    `));
  return (end < 0 ? rest : rest.slice(0, end)).map((each) => each.slice(indent.length + 4)).join("\n");
}

function readSpec(lines: readonly string[]): Failure[] {
  const start = lines.findLastIndex((line) => line.startsWith("✖ failing tests:"));
  if (start < 0) return [];
  const after = lines.slice(start + 1);
  const heads = after.flatMap((line, at) => (line.startsWith("test at ") ? [at] : []));
  return heads.map((head, index) => {
    const [title = "", ...rest] = after.slice(head + 1, heads[index + 1] ?? head + 100);
    const [, file, row, column] = /^test at (?:file:\/\/)?(.*):(\d+):(\d+)$/.exec(after[head] ?? "") ?? [];
    const trace = rest.findIndex((line) => /^\s+at /.test(line));
    const message = (trace < 0 ? rest : rest.slice(0, trace)).map((line) => line.trim()).join("\n");
    const test = title.replace(/^✖ /, "").replace(/ \([\d.]+ms\)$/, "");
    return failure({ file, line: row, column, ...placeInStack(trace < 0 ? [] : rest.slice(trace)), test }, message);
  });
}
