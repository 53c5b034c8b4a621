import { addCounts, type Failure, type Findings, failure, numberIn, toLines } from "../findings.js";

const FRAME = /^\s*File "(?<file>[^"]+)", line (?<line>\d+)/;

/** Newer Pythons say the name of a test once more behind its class. */
const WITH_NAME = /^(?:FAIL|ERROR): (?<name>.+) \((?<owner>[\w.]+\.\k<name>)\)/;
const WITH_OWNER = /^(?:FAIL|ERROR): (?<name>.+?)(?: \((?<owner>[\w.]+).*\))?$/;

/** Reads what Python's own unittest writes, and the syntax errors that `compileall` finds. */
export function pythonTraces(text: string): Findings {
  const lines = toLines(text);
  return { failures: [...readTests(lines), ...readSyntax(lines)], ...addCounts([countsOf(text)]) };
}

function readTests(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const { name, owner } = (WITH_NAME.exec(line) ?? WITH_OWNER.exec(line))?.groups ?? {};
    if (name === undefined || !/^-{20,}$/.test(lines[at + 1] ?? "")) return [];
    const rest = lines.slice(at + 2, at + 200);
    const end = rest.findIndex((each) => /^[=-]{20,}$/.test(each));
    const block = end < 0 ? rest : rest.slice(0, end);
    const frames = block.map((each) => FRAME.exec(each)?.groups).filter((each) => each !== undefined);
    const own = frames.filter(({ file = "" }) => !/[\\/]lib[\\/]python|<frozen|site-packages/.test(file));
    const last = block.findLastIndex((each) => /^\s*File "|^ {4}/.test(each));
    const test = owner === undefined || owner.endsWith(`.${name}`) ? (owner ?? name) : `${owner}.${name}`;
    return [failure({ ...own.at(-1), test }, block.slice(last + 1).join("\n"))];
  });
}

function readSyntax(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    if (!/^\*\*\* (?:Error compiling|Sorry)/.test(line)) return [];
    const block = lines.slice(at + 1, at + 8);
    const place = block.map((each) => FRAME.exec(each)?.groups).find((found) => found !== undefined) ?? {};
    const said = block.find((each) => /^\s*(?:\*\*\* )?\w*(?:Error|Warning): /.test(each)) ?? line;
    return [failure(place, said)];
  });
}

function countsOf(text: string): ReturnType<typeof addCounts>["counts"] {
  const ran = /^Ran (\d+) tests? in /m.exec(text)?.[1];
  const [end = ""] = /^(?:OK|FAILED|NO TESTS RAN)(?: \(.*\))?$/m.exec(text) ?? [];
  if (ran === undefined || end === "") return undefined;
  const failed = numberIn(end, /failures=(\d+)/) + numberIn(end, /errors=(\d+)/);
  const skipped = numberIn(end, /skipped=(\d+)/) + numberIn(end, /expected failures=(\d+)/);
  return { passed: Math.max(0, Number(ran) - failed - skipped), failed, skipped };
}
