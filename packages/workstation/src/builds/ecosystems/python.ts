import { type Ecosystem, type Plan, type Project } from "../ecosystem.js";
import { addCounts, type Failure, type Findings, failure, numberIn, type Place, toLines } from "../findings.js";
import { parseColonLines } from "../parsers/line-parsers.js";
import { pytestArgs, unittestArgs } from "../test-names.js";

const MARKS = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "pytest.ini", "tox.ini", "conftest.py"];
const VENVS = ["./.venv/bin/", "./venv/bin/", "./.venv/Scripts/", "./venv/Scripts/"];

/** Python, with pytest or unittest, uv or pip, and ruff, flake8 or mypy. */
export const python: Ecosystem = {
  name: "python",
  markIn: (names) => MARKS.find((name) => names.has(name)),
  async plan(action, project) {
    if (action === "lint") return planLint(project);
    const program = await findTool(project, ["python", "python3"]);
    const args = { build: () => COMPILE, test: () => testArgs(project), restore: () => restoreArgs(project) };
    const found = await args[action]();
    if (typeof found === "string") return found;
    // uv and pytest have their own Python.
    const [first = ""] = found;
    const isOwnProgram = first === "uv" || first.endsWith("pytest");
    return {
      program: isOwnProgram ? first : (program ?? "python3"),
      args: isOwnProgram ? found.slice(1) : found,
      env: { PYTHONUNBUFFERED: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1", ...(!project.isOnline && { UV_OFFLINE: "1" }) },
      parsers: [parsePytest, parseUnittest],
      install: "Install Python 3 from https://www.python.org, or with: apt-get install python3",
    };
  },
};

/** There is nothing to build; this checks that every file compiles. */
const COMPILE = ["-m", "compileall", "-q", "-x", String.raw`[\\/](\.|venv|env|node_modules|build|dist)[^.]*[\\/]`, "."];

async function testArgs(project: Project): Promise<readonly string[]> {
  const runner = await findTool(project, ["pytest"]);
  const { test } = project;
  if (runner === undefined)
    return ["-m", "unittest", "discover", "-v", ...(test === undefined ? [] : unittestArgs(test))];
  const only = test === undefined ? [] : pytestArgs(test);
  const options = ["-rfE", "--tb=short", "--color=no", "-p", "no:cacheprovider", ...only];
  return [runner, ...options];
}

async function restoreArgs(project: Project): Promise<readonly string[] | string> {
  if (project.names.has("uv.lock") && (await project.has("uv"))) return ["uv", "sync", "--frozen"];
  const install = ["-m", "pip", "install", "--no-input"];
  if (project.names.has("requirements.txt")) return [...install, "-r", "requirements.txt"];
  if (project.names.has("pyproject.toml") || project.names.has("setup.py")) return [...install, "-e", "."];
  return "There is no requirements.txt, pyproject.toml or setup.py with dependencies";
}

async function planLint(project: Project): Promise<Plan | string> {
  const linters: readonly (readonly string[])[] = [
    ["ruff", "check", "--output-format=concise", "--no-fix", "."],
    ["flake8", "."],
    ["mypy", "--no-color-output", "--no-error-summary", "."],
  ];
  for (const [name = "", ...args] of linters) {
    const program = await findTool(project, [name]);
    if (program !== undefined) return { program, args, parsers: [parseColonLines], install: "" };
  }
  return "None of ruff, flake8 and mypy is installed. Install one of them, such as with: pip install ruff";
}

/** Finds a program in the virtual environment of the project, or on the PATH. */
async function findTool(project: Project, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    for (const folder of VENVS) if (await project.hasOwn(folder + name)) return folder + name;
    if (await project.has(name)) return name;
  }
  return undefined;
}

/** `==== 1 failed, 2 passed in 0.12s ====`; short summaries have no `=`. */
const isSummary = (line: string): boolean =>
  line.length < 300 &&
  /\bin [\d.]+s\b/.test(line) &&
  /\d (?:passed|failed|errors?|skipped|deselected)\b|no tests ran/.test(line);

/** Reads the short summary of pytest, and the position and message of each failure above it. */
export function parsePytest(text: string): Findings {
  const lines = toLines(text);
  const summary = lines.findLast((line) => isSummary(line));
  if (summary === undefined) return { failures: [] };
  const blocks = readBlocks(lines);
  const failures = lines.flatMap((line) => {
    const found = /^(FAILED|ERROR) (?<node>\S+?\.py(?:::[^[]*?(?:\[.*?\])?)?)(?: - (?<message>.*))?$/.exec(
      line,
    )?.groups;
    if (found === undefined) return [];
    const { node = "", message = "" } = found;
    const [file = "", ...names] = node.split("::");
    const block = blocks.get(names.join(".")) ?? blocks.get(file);
    const test = names.length === 0 ? undefined : node;
    return [failure({ file, ...block?.place, test }, block?.message || message)];
  });
  return {
    failures,
    ...addCounts([
      {
        passed: numberIn(summary, /(\d+) (?:passed|xpassed)/),
        failed: numberIn(summary, /(\d+) failed/) + numberIn(summary, /(\d+) errors?/),
        skipped: numberIn(summary, /(\d+) skipped/) + numberIn(summary, /(\d+) xfailed/),
      },
    ]),
  };
}

interface Block {
  readonly place: Place;
  readonly message: string;
}

/** The section below each `____ name ____`: the last position in the project, and the lines that begin with E. */
function readBlocks(lines: readonly string[]): ReadonlyMap<string, Block> {
  const heads = lines.flatMap((line, at) => {
    const name = /^_{2,} (?:ERROR (?:at \w+ of|collecting) )?(.+?) _{2,}$/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, at }];
  });
  return new Map(
    heads.map(({ name, at }, index) => {
      const limit = heads[index + 1]?.at ?? lines.length;
      const block = lines.slice(at + 1, limit);
      const end = block.findIndex((line) => /^={3,}|^-+ Captured /.test(line));
      return [name, readBlock(end < 0 ? block : block.slice(0, end))];
    }),
  );
}

function readBlock(lines: readonly string[]): Block {
  const places = lines.flatMap((line) => {
    const { file, row } = /^(?<file>\S[^:]*\.py):(?<row>\d+): /.exec(line)?.groups ?? {};
    return file === undefined || file.includes("site-packages") ? [] : [{ file, line: row }];
  });
  const syntax = lines.map((line) => /^E\s+File "(.+)", line (\d+)/.exec(line)).find((found) => found !== null);
  const output = lines.flatMap((line) => /^E(?: {3}| +)?(.*)$/.exec(line)?.[1] ?? []);
  const place = places.at(-1) ?? {};
  return { place: syntax ? { file: syntax[1], line: syntax[2] } : place, message: output.join("\n") };
}

const FRAME = /^\s*File "(?<file>[^"]+)", line (?<line>\d+)/;

/** Newer versions of Python repeat the name of the test after its class. */
const WITH_NAME = /^(?:FAIL|ERROR): (?<name>.+) \((?<owner>[\w.]+\.\k<name>)\)/;
const WITH_OWNER = /^(?:FAIL|ERROR): (?<name>.+?)(?: \((?<owner>[\w.]+).*\))?$/;

/** Reads the output of unittest, and the syntax errors of `compileall`. */
export function parseUnittest(text: string): Findings {
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
    const output = block.find((each) => /^\s*(?:\*\*\* )?\w*(?:Error|Warning): /.test(each)) ?? line;
    return [failure(place, output)];
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
