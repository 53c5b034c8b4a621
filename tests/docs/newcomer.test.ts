import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { connect } from "@toolwright/engine/client";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { type Block, blocksOf, readPage, root } from "./pages.js";

const MAIN = `${root}packages/toolwright/dist/main.js`;
// What a busy machine may take for all of it.
const PATIENCE = 600_000;
const isPosix = process.platform !== "win32";

const clean = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolwright-newcomer-")));
const home = path.join(clean, "home");
for (const folder of ["work/app", ".cursor"]) mkdirSync(path.join(home, folder), { recursive: true });
afterAll(() => rmSync(clean, { recursive: true, force: true, maxRetries: 5 }));

/** What a shell of the newcomer has: nothing of this project, and a home of its own. */
const env = {
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env["PATH"] ?? ""}`,
  HOME: home,
  npm_config_update_notifier: "false",
};

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs words of a shell in a folder, without anybody who could be asked. */
function shell(words: string, cwd: string): Promise<Ended> {
  const child = spawn("bash", ["-euo", "pipefail", "-c", words], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const heard = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (heard.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (heard.stderr += text));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, ...heard }));
  });
}

/** Starts what the page leaves running in a second shell, at a port that is free, and gives its address. */
async function leaveRunning(
  words: string,
  cwd: string,
): Promise<{ readonly child: ChildProcess; readonly at: string }> {
  const child = spawn("bash", ["-c", `exec ${words}`], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  onTestFinished(() => stop(child));
  let heard = "";
  const at = await new Promise<string>((resolve, reject) => {
    const hear = (text: string) => {
      heard += text;
      const [, found] = /http:\/\/(127\.0\.0\.1:\d+)\/mcp/.exec(heard) ?? [];
      if (found !== undefined) resolve(found);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", hear);
    child.on("exit", (code) => reject(new Error(`"${words}" ended with ${code}: ${heard}`)));
  });
  return { child, at };
}

/** As Ctrl-C does it: the whole group of processes. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => void child.once("exit", resolve));
  process.kill(-child.pid, "SIGINT");
  await ended;
}

/** The packages, as npm would have put them there. */
function link(folder: string): void {
  mkdirSync(path.join(folder, "node_modules/@toolwright"), { recursive: true });
  mkdirSync(path.join(folder, "node_modules/.bin"));
  symlinkSync(`${root}packages/engine`, path.join(folder, "node_modules/@toolwright/engine"));
  symlinkSync(`${root}packages/toolwright`, path.join(folder, "node_modules/toolwright"));
  symlinkSync("../toolwright/dist/main.js", path.join(folder, "node_modules/.bin/toolwright"));
}

const INSTALL = "npm install @toolwright/engine toolwright";
const PORT = "127.0.0.1:3000";

describe.runIf(isPosix)("the tutorial", () => {
  const blocks = blocksOf(readPage("docs/tutorial.md"));
  const isShell = (block: Block | undefined) => block?.words[0] === "sh";
  const fileOf = ({ words }: Block) => (words[0] === "js" ? words[1] : undefined);

  test("does word for word what it says", { timeout: PATIENCE }, async () => {
    let folder = clean;
    let isChanged = false;
    let second: { readonly child: ChildProcess; readonly at: string } | undefined;
    for (const [index, block] of blocks.entries()) {
      const file = fileOf(block);
      if (file !== undefined) {
        const place = path.join(folder, file);
        isChanged = second !== undefined && existsSync(place);
        // A port of its own in the place of the one on the page, which somebody may have.
        writeFileSync(place, block.code.replace("port: 3000", "port: 0"));
        continue;
      }
      if (!isShell(block)) continue;
      if (block.words.includes("background")) {
        if (second) await stop(second.child);
        second = await leaveRunning(block.code.trim().replace("--http 3000", "--http 0"), folder);
        continue;
      }
      const words = block.code.replace(INSTALL, ":").replaceAll(PORT, second?.at ?? PORT);
      const next = blocks[index + 1];
      const printed = next?.words[0] === "text" ? next.code : undefined;
      const isAsPromised = ({ code, stdout }: Ended) =>
        (code !== 0) === block.words.includes("fails") &&
        (printed === undefined || asPrinted(stdout, folder) === printed);
      // What was just saved is swapped in within a moment, and people do not type that fast.
      let ended = await shell(words, folder);
      for (let again = isChanged ? 19 : 0; again > 0 && !isAsPromised(ended); again -= 1)
        ended = await shell(words, folder);
      isChanged = false;
      const { code, stdout, stderr } = ended;
      const where = `line ${block.line}: ${block.code}${stderr}${stdout}`;
      expect(code === 0, where).toBe(!block.words.includes("fails"));
      if (printed !== undefined) expect(asPrinted(stdout, folder), where).toBe(printed);
      if (block.code.includes("doctor")) expect(stdout.trimEnd().endsWith("No faults."), where).toBe(true);
      const [, moved] = /\bcd (\S+)/.exec(words) ?? [];
      if (moved !== undefined) folder = path.join(folder, moved);
      if (block.code.includes(INSTALL)) link(folder);
    }
    if (second) await stop(second.child);
    expect(folder).toBe(path.join(clean, "notes"));
    const notes: unknown = JSON.parse(readFileSync(path.join(folder, "notes.json"), "utf8"));
    expect(notes).toEqual(["Buy milk", "Call Ada", "Water the plants", "Over HTTP"]);
  });

  /** What was printed, with the paths of the page in the place of those of this machine. */
  function asPrinted(stdout: string, folder: string): string {
    const text = stdout.replaceAll(folder, "/home/ada/notes").replaceAll(process.execPath, "/usr/bin/node");
    return text.replace(/\n+$/, "\n");
  }
});

describe.runIf(isPosix)("the README", () => {
  // Continuous integration runs both as they stand: it installs, builds and tests.
  const TWO = ["npm ci && npm start", "npm ci && npm test"];
  const lines = blocksOf(readPage("README.md"))
    .filter(({ words }) => words[0] === "sh")
    .flatMap(({ code }) => code.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");

  test("begins with the two commands that continuous integration runs", () => {
    expect(lines.slice(0, 2)).toEqual(TWO);
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { scripts: Record<string, string> };
    expect(scripts["start"]).toBe("npm run --silent build && node packages/toolwright/dist/main.js serve");
    expect(readFileSync(`${root}.ci/run`, "utf8")).toMatch(/^npm ci$[\s\S]*^npm run ok$/m);
  });

  /** The line with the built command in the place of npm's script, and ports that are free. */
  const toRun = (line: string) =>
    line
      .replace(/^npm start( --silent)? --/, "toolwright serve")
      .replace(/^toolwright\b/, `"${process.execPath}" "${MAIN}"`)
      .replace(/--http( \d+)?/, "--http 127.0.0.1:0");

  test.each(lines.slice(2))("%s", { timeout: PATIENCE }, async (line) => {
    const folder = mkdtempSync(path.join(clean, "readme-"));
    if (line.includes("--http")) {
      const { child, at } = await leaveRunning(toRun(line), folder);
      const client = await connect({ url: `http://${at}/mcp` });
      expect(await client.listTools()).not.toEqual([]);
      await client.close();
      await stop(child);
      return;
    }
    if (!/\bserve\b|^npm start/.test(line)) {
      // Nobody is there to be asked which clients are meant, and whether.
      const words = line === "toolwright install" ? `${toRun(line)} --all --yes` : toRun(line);
      const { code, stdout, stderr } = await shell(words, folder);
      expect(code, stdout + stderr).toBe(0);
      return;
    }
    const client = await connect({ command: "bash", args: ["-c", `exec ${toRun(line)}`], env, cwd: folder });
    expect((await client.listTools()).map(({ name }) => name)).toContain("fs_read_file");
    await client.close();
  });
});
