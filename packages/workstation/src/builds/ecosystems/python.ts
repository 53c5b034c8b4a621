import type { Ecosystem, Plan, Project } from "../ecosystem.js";
import { colonLines } from "../parsers/colon-lines.js";
import { pytest } from "../parsers/pytest.js";
import { pythonTraces } from "../parsers/python-traces.js";
import { pytestArgs, unittestArgs } from "../test-names.js";

const MARKS = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "pytest.ini", "tox.ini", "conftest.py"];
const VENVS = ["./.venv/bin/", "./venv/bin/", "./.venv/Scripts/", "./venv/Scripts/"];

/** Python, with pytest or unittest, uv or pip, and ruff, flake8 or mypy. */
export const python: Ecosystem = {
  name: "python",
  markIn: (names) => MARKS.find((name) => names.has(name)),
  async plan(deed, project) {
    if (deed === "lint") return planLint(project);
    const program = await findTool(project, ["python", "python3"]);
    const args = { build: () => COMPILE, test: () => testArgs(project), restore: () => restoreArgs(project) };
    const found = await args[deed]();
    if (typeof found === "string") return found;
    // uv and pytest bring a Python of their own.
    const [first = ""] = found;
    const isOwnProgram = first === "uv" || first.endsWith("pytest");
    return {
      program: isOwnProgram ? first : (program ?? "python3"),
      args: isOwnProgram ? found.slice(1) : found,
      env: { PYTHONUNBUFFERED: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1", ...(!project.isOnline && { UV_OFFLINE: "1" }) },
      parsers: [pytest, pythonTraces],
      install: "Install Python 3 from https://www.python.org, or with: apt-get install python3",
    };
  },
};

/** Nothing is built; what can be found out is whether every file can be read. */
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
  return "There is no requirements.txt, pyproject.toml or setup.py that says what to install";
}

async function planLint(project: Project): Promise<Plan | string> {
  const linters: readonly (readonly string[])[] = [
    ["ruff", "check", "--output-format=concise", "--no-fix", "."],
    ["flake8", "."],
    ["mypy", "--no-color-output", "--no-error-summary", "."],
  ];
  for (const [name = "", ...args] of linters) {
    const program = await findTool(project, [name]);
    if (program !== undefined) return { program, args, parsers: [colonLines], install: "" };
  }
  return "None of ruff, flake8 and mypy is there. Install one of them, such as with: pip install ruff";
}

/** A program of the project's virtual environment, or else of the PATH. */
async function findTool(project: Project, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    for (const folder of VENVS) if (await project.hasOwn(folder + name)) return folder + name;
    if (await project.has(name)) return name;
  }
  return undefined;
}
