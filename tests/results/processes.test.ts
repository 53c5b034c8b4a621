import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildProgram } from "../support/program.js";
import { giving } from "./server.js";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

describe("another process", () => {
  const running = new Set<ChildProcess>();
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "results-test-"));
    program = path.join(folder, "spilling-process.mjs");
    await buildProgram(new URL("spilling-process.ts", import.meta.url), program);
    await chmod(folder, 0o755);
  });

  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts the program; gives what it says, and what kills it. */
  async function start(directory: string, uid?: number) {
    const child = spawn(process.execPath, [program, directory], {
      stdio: ["ignore", "pipe", "inherit"],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    running.add(child);
    const ended = once(child, "exit");
    const [said] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const kill = async () => {
      child.kill("SIGKILL");
      await ended;
      running.delete(child);
    };
    return { said: JSON.parse(said) as unknown, kill };
  }

  test("keeps its files while it lives, and they are removed when it was killed", async () => {
    const directory = path.join(folder, "shared");
    const { said, kill } = await start(directory);
    expect(said).toEqual({ isKept: true, logged: [] });
    const [theirs = ""] = await readdir(directory);
    const first = giving({}, { directory });
    await first.start();
    expect(await readdir(path.join(directory, theirs))).toHaveLength(1);
    await kill();
    const second = giving({}, { directory });
    await second.start();
    expect(await readdir(directory)).toEqual([]);
    await Promise.all([first.close(), second.close()]);
  });

  test.skipIf(!isRoot)("that may not write to the folder serves on without it", async () => {
    const directory = path.join(folder, "forbidden");
    await mkdir(directory, { mode: 0o555 });
    const { said, kill } = await start(directory, NOBODY);
    expect(said).toEqual({
      isKept: false,
      logged: [expect.stringMatching(/^results cannot be kept in .*: for 60 s they are kept in memory only$/)],
    });
    await kill();
  });
});
