import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, lstat, mkdtemp, readdir, readFile, readlink, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { JsonObject } from "@toolwright/engine";
import { afterAll } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { makeFolder, openWorkstation, putFiles, type TestWorkstation } from "../kit.js";

/** What stands in every file outside; no answer may ever have it. */
export const SECRET = "SECRET-7f3a91";

/** What stands in every name outside; no answer may have it but where the caller gave it. */
export const OUTSIDE_NAME = "ledger-c41";

/** What stands in every file that the settings hide. */
export const HIDDEN = "HIDDEN-55d0e2";

/** What a call came to. */
export interface Said {
  readonly isError: boolean;
  readonly code: unknown;
  readonly text: string;
  /** The whole answer as JSON. */
  readonly whole: string;
}

/** A root to attack, and a folder beside it that nothing may read or change. */
export interface Arena extends TestWorkstation {
  /** The folder in which both lie. */
  readonly base: string;
  readonly outside: string;
  /** Calls a tool, whatever comes of it. */
  say(tool: string, args: JsonObject): Promise<Said>;
  /** All that is outside: names, kinds, modes, times and contents. */
  snapshot(): Promise<string>;
}

/** The settings that let everything run, so that a path is the only reason to refuse. */
const OPEN_SETTINGS: JsonObject = {
  builds: true,
  network: true,
  commands: [["node", "**"]],
  ask: "never",
};

/** Makes the arena: a project with a repository, and links and files that lead out of it. */
export async function openArena(hidden: readonly string[] = []): Promise<Arena> {
  const base = await makeFolder();
  await cp(await template(), base, { recursive: true, preserveTimestamps: true });
  const [root, outside] = [path.join(base, "root"), path.join(base, "outside")];
  for (const [name, target] of Object.entries(linksTo(root, outside))) await symlink(target, path.join(root, name));
  const bench = await openWorkstation({
    root,
    settings: OPEN_SETTINGS,
    policy: { hidden: ["**/.env", "vault/**", ...hidden] },
  });
  return {
    ...bench,
    base,
    outside,
    say: async (tool, args) => toSaid(await bench.client.callTool(tool, args)),
    snapshot: () => snapshotOf(outside),
  };
}

let made: Promise<string> | undefined;

/** Both folders with their repositories, made once for all arenas of a file of tests. */
function template(): Promise<string> {
  made ??= makeTemplate();
  return made;
}

async function makeTemplate(): Promise<string> {
  const base = await mkdtemp(path.join(os.tmpdir(), "arena-"));
  for (const [name, files] of Object.entries({ root: INSIDE, outside: OUTSIDE })) {
    const folder = path.join(base, name);
    await putFiles(folder, files);
    await git(folder, "init", "--quiet", "--initial-branch=main", "--template=");
    await git(folder, "add", "--all");
    await git(folder, "commit", "--quiet", `--message=${name === "outside" ? SECRET : "first"}`);
  }
  return base;
}

afterAll(async () => {
  if (made !== undefined) await rm(await made, { recursive: true, force: true });
});

const INSIDE = {
  "src/main.ts": "export const inside = 1;\n",
  "src/deep/er/leaf.txt": "leaf\n",
  "readme.md": "# inside\n",
  ".env": `KEY=${HIDDEN}\n`,
  "vault/key.txt": `${HIDDEN}\n`,
  "package.json": '{ "name": "inside", "version": "1.0.0", "private": true, "scripts": { "test": "node -e 0" } }\n',
};

const OUTSIDE = {
  [`${OUTSIDE_NAME}.txt`]: `${SECRET}\n`,
  [`folder/${OUTSIDE_NAME}.txt`]: `${SECRET}\n`,
  "src/main.ts": `${SECRET}\n`,
  "package.json": `{ "name": "${SECRET}", "version": "1.0.0", "scripts": { "test": "echo ${SECRET}", "build": "echo ${SECRET}" } }\n`,
};

const linksTo = (root: string, outside: string): Readonly<Record<string, string>> => ({
  "link-folder": outside,
  "link-relative": "../outside",
  "link-file": path.join(outside, `${OUTSIDE_NAME}.txt`),
  "link-chain": "link-chain-2",
  "link-chain-2": "link-folder",
  "link-up": "..",
  "link-root": "/",
  "link-loop": "link-loop",
  "link-dangling": path.join(outside, "not-there.txt"),
  "link-proc": "/proc/self/root",
  "link-fd": "/proc/self/fd",
  "link-back": `${root}/../outside`,
  "link-env": ".env",
  "link-vault": "vault",
  "src/link-out": "../../outside",
});

const run = promisify(execFile);

/** Runs git in a folder of the arena, with nothing of the machine's own configuration. */
async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  return (await run("git", [...args], { cwd: folder, env })).stdout;
}

/** Reads what a tool said, failed or not. */
function toSaid(result: JsonObject): Said {
  const failure = (result["_meta"] as JsonObject | undefined)?.["toolwright/failure"] as JsonObject | undefined;
  const isError = result["isError"] === true;
  return { isError, code: failure?.["code"], text: textOf(result), whole: JSON.stringify(result) };
}

/** Everything below a folder as text. */
async function snapshotOf(folder: string): Promise<string> {
  const lines: string[] = [];
  const visit = async (place: string): Promise<void> => {
    const stats = await lstat(place);
    const about = `${path.relative(folder, place)} ${stats.mode} ${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs}`;
    if (stats.isDirectory()) {
      lines.push(about);
      for (const name of (await readdir(place)).sort()) await visit(path.join(place, name));
    } else if (stats.isSymbolicLink()) lines.push(`${about} → ${await readlink(place)}`);
    else if (stats.isFile())
      lines.push(
        `${about} ${createHash("sha256")
          .update(await readFile(place))
          .digest("hex")}`,
      );
    else lines.push(about);
  };
  await visit(folder);
  return lines.join("\n");
}
