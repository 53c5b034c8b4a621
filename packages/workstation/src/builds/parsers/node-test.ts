import { addCounts, type Failure, type Findings, failure, numberIn, placeInStack, toLines } from "../findings.js";

/** Reads what Node's own test runner writes: TAP, or the list of failed tests of its `spec` form. */
export function nodeTest(text: string): Findings {
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

/** A file in which no test was run is told as a test that has passed, by its path. */
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
    // A test above the one that failed has failed only because of it.
    if (field("failureType")?.includes("subtestsFailed")) return [];
    const message = blockText(block, indent, "error") ?? unescaped(test);
    const [, file, row, column] = /^'?(?:file:\/\/)?(.*):(\d+):(\d+)'?$/.exec(field("location") ?? "") ?? [];
    const stack = (blockText(block, indent, "stack") ?? "").split("\n");
    return [failure({ file, line: row, column, ...placeInStack(stack), test: unescaped(test) }, message)];
  });
}

/** In TAP a number sign begins what is no name any more, unless a backslash is in front of it. */
const unescaped = (name: string): string => name.replaceAll(/\\([\\#])/g, "$1");

/** A field that may go on below its name, more indented. */
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
