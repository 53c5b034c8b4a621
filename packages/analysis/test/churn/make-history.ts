import { execFileSync } from "node:child_process";
import { onTestFinished, vi } from "vitest";
import { makeFolder } from "../kit.js";

/** One commit of a history that a test makes. */
export interface Step {
  /** `Name <address>`; Ada by default. */
  readonly by?: string;
  /** A day, or a moment in UTC. */
  readonly on: string;
  readonly says?: string;
  /** Texts of files by name; a number stands for so many lines. Names go to git as they are, be they in its quotes. */
  readonly put?: Readonly<Record<string, string | number | Uint8Array>>;
  readonly drop?: readonly string[];
  readonly move?: Readonly<Record<string, string>>;
  /** The branch that it is on; main by default. */
  readonly branch?: string;
  /** The branch that a new one starts from. */
  readonly from?: string;
  /** The branch that is merged; what the merge leads to is said by `put`, `drop` and `move`. */
  readonly merge?: string;
  /** Submodules by name. */
  readonly link?: Readonly<Record<string, string>>;
}

/** The moment in which all tests take place. */
export const NOW = new Date("2031-05-06T12:00:00.000Z");

/** Makes it that moment, for as long as the test runs. */
export function stopClock(): void {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Runs git as a person would, with no settings but its own. */
export const runGit = (cwd: string, args: readonly string[], input?: Uint8Array): string =>
  execFileSync("git", [...args], {
    cwd,
    encoding: "utf8",
    timeout: 20_000,
    stdio: ["pipe", "pipe", "pipe"],
    ...(input !== undefined && { input }),
    env: { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
  });

/** So many different lines of text, which no other seed has. */
export const lines = (count: number, seed = ""): string =>
  Array.from({ length: count }, (_, at) => `line ${at} of ${seed}\n`).join("");

/** Makes a repository with a history, in a folder of its own or in one that is there. No file of it is checked out. */
export async function makeHistory(steps: readonly Step[], root?: string): Promise<string> {
  const folder = root ?? (await makeFolder());
  runGit(folder, ["init", "--quiet", "--initial-branch=main"]);
  addHistory(folder, steps);
  return folder;
}

/** Adds commits to a repository; each branch goes on where it was. */
export function addHistory(folder: string, steps: readonly Step[]): void {
  const pieces: Buffer[] = [];
  const write = (text: string): number => pieces.push(Buffer.from(text));
  const known = new Set<string>();
  for (const [at, step] of steps.entries()) {
    const { by = "Ada <ada@example.com>", branch = "main", says = `Step ${at}` } = step;
    const when = `${Date.parse(step.on.includes("T") ? step.on : `${step.on}T12:00:00Z`) / 1000} +0000`;
    write(`commit refs/heads/${branch}\nauthor ${by} ${when}\ncommitter ${by} ${when}\n`);
    write(`data ${Buffer.byteLength(says)}\n${says}\n`);
    if (!known.has(branch) && step.from !== undefined) write(`from refs/heads/${step.from}\n`);
    if (!known.has(branch) && step.from === undefined && hasBranch(folder, branch))
      write(`from refs/heads/${branch}^0\n`);
    known.add(branch);
    if (step.merge !== undefined) write(`merge refs/heads/${step.merge}\n`);
    for (const name of step.drop ?? []) write(`D ${name}\n`);
    for (const [from, to] of Object.entries(step.move ?? {})) write(`R ${from} ${to}\n`);
    for (const [name, given] of Object.entries(step.put ?? {})) {
      const bytes = Buffer.from(typeof given === "number" ? lines(given, name) : given);
      write(`M 100644 inline ${name}\ndata ${bytes.length}\n`);
      pieces.push(bytes, Buffer.from("\n"));
    }
    for (const [name, hash] of Object.entries(step.link ?? {})) write(`M 160000 ${hash} ${name}\n`);
    write("\n");
  }
  runGit(folder, ["fast-import", "--quiet"], Buffer.concat(pieces));
}

const hasBranch = (folder: string, branch: string): boolean =>
  runGit(folder, ["for-each-ref", `refs/heads/${branch}`]) !== "";
