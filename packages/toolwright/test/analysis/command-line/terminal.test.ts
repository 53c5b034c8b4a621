import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { main } from "../../cli/listening.js";
import { findTerminal } from "../../cli/pseudo-terminal.js";
import { type Demo, fillDemo, makeDemo } from "./kit.js";

const terminal = findTerminal();
const RED = "\u{1b}[31m";

let demo: Demo;

beforeAll(() => {
  demo = makeDemo();
  fillDemo(demo);
});

afterAll(() => demo.remove());

/** Runs `toolwright analyze` on a terminal of so many columns; what is said to both streams comes together. */
async function show(words: string, columns: number, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const line = `sh -c 'stty cols ${columns}; exec ${process.execPath} ${main} analyze ${words}'`;
  const [command, args] = terminal?.(line) ?? ["", []];
  const child = spawn(command, args, {
    cwd: demo.root,
    env: { ...demo.env, NO_COLOR: undefined, TERM: "xterm", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  await new Promise((resolve) => child.on("close", resolve));
  return said.replaceAll("\r\n", "\n");
}

describe.skipIf(terminal === undefined)("toolwright analyze on a terminal", () => {
  test("has colours, fits the width, and shows progress that is gone afterwards", async () => {
    const said = await show("complexity", 58);
    expect(stripVTControlCharacters(said)).toMatch(/█.*\d/);
    const after = said.slice(said.lastIndexOf("\u{1b}[2K") + 4);
    expect(after).toContain(`${RED}2 errors`);
    const table = stripVTControlCharacters(after.slice(after.indexOf("Above the thresholds")));
    expect(table).toContain("…c/still.ts:1");
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(58);
  });

  test("has no colours where NO_COLOR is set, and no progress with --quiet", async () => {
    const said = await show("complexity --quiet", 100, { NO_COLOR: "1" });
    expect(said).not.toContain("\u{1b}");
    expect(said).toContain("2 errors, no warnings");
  });

  test("has no colours in machine formats", async () => {
    const said = await show("complexity --json --quiet", 100);
    expect(JSON.parse(said)).toMatchObject({ summary: { total_files: 3 } });
  });
});

/** A git that answers to its version, and to nothing else: it waits, and says in a file who it is. */
function slowGit(folder: string): { readonly path: string; readonly mark: string } {
  const bin = path.join(folder, "bin");
  const mark = path.join(folder, "git.pid");
  mkdirSync(bin);
  const script = `#!/bin/sh\ncase "$*" in *version*) echo git version 2.45.0; exit 0;; esac\necho $$ > ${mark}\nexec sleep 600\n`;
  writeFileSync(path.join(bin, "git"), script, { mode: 0o755 });
  return { path: `${bin}${path.delimiter}${process.env["PATH"]}`, mark };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(process.platform === "win32")(
  "Ctrl-C ends it with code 130, with what it started, and writes nothing",
  async () => {
    const folder = path.dirname(demo.root);
    const git = slowGit(folder);
    const page = path.join(folder, "interrupted.html");
    const child = spawn(process.execPath, [main, "analyze", "hotspots", "--html", page, "--quiet"], {
      cwd: demo.root,
      env: { ...demo.env, PATH: git.path },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
    await vi.waitFor(() => expect(readFileSync(git.mark, "utf8")).toMatch(/^\d+\n$/), { timeout: 20_000 });
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    const pid = Number(readFileSync(git.mark, "utf8"));
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
    expect(existsSync(page)).toBe(false);
  },
);
