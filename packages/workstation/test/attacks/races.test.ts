import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { putFiles } from "../kit.js";
import { type Arena, OUTSIDE_NAME, openArena, SECRET } from "./arena.js";

/** Starts a process that swaps a folder of the root with a link to the outside, until the test stops it. */
async function startSwapping(arena: Arena, name: string): Promise<{ stop(): Promise<number> }> {
  const program = fileURLToPath(new URL("swapper.mjs", import.meta.url));
  const folder = path.join(arena.root, name);
  await mkdir(path.join(folder, "folder"), { recursive: true });
  await writeFile(path.join(folder, "main.ts"), "inside\n");
  const child = spawn(process.execPath, [program, folder, arena.outside], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(child.stdout, "data");
  return {
    async stop() {
      child.stdin.end();
      await once(child, "close");
      return Number(said.replace("ready\n", ""));
    },
  };
}

type Deed = readonly [tool: string, args: JsonObject];

const THERE = `swapped/${OUTSIDE_NAME}.txt`;

/** Calls on names that are outside as well as inside. */
const DEEDS: Readonly<Record<string, readonly Deed[]>> = {
  reading: [
    ["fs_read_file", { path: THERE }],
    ["fs_read_file", { path: "swapped/main.ts" }],
    ["fs_info", { path: `swapped/folder/${OUTSIDE_NAME}.txt` }],
    ["fs_file_exists", { path: THERE }],
  ],
  listing: [
    ["fs_list_directory", { path: "swapped" }],
    ["fs_list_directory", { path: "swapped/folder" }],
    ["fs_tree", { path: "swapped" }],
    ["fs_find", { path: "swapped", glob: "**" }],
  ],
  searching: [
    ["fs_search", { path: "swapped", pattern: ".", ignored: true }],
    ["fs_search", { path: ".", pattern: "SECRET", ignored: true }],
  ],
  writing: [
    ["fs_write_file", { path: THERE, content: "x" }],
    ["fs_write_file", { path: "swapped/folder/deep/new.txt", content: "x" }],
    ["fs_edit_file", { path: "swapped/main.ts", edits: [{ old_string: "i", new_string: "i" }] }],
    ["fs_create_directory", { path: "swapped/made/here" }],
  ],
  "deleting and moving": [
    ["fs_delete_file", { path: THERE }],
    ["fs_move", { from: "swapped/main.ts", to: "swapped/other.ts", overwrite: true }],
    ["fs_move", { from: "swapped/other.ts", to: "swapped/main.ts", overwrite: true }],
    ["fs_move", { from: THERE, to: "stolen.txt", overwrite: true }],
    ["fs_move", { from: "swapped/package.json", to: "stolen.json", overwrite: true }],
    ["fs_read_file", { path: "stolen.json" }],
  ],
  "running programs": [
    ["git_log", { repository_path: "swapped" }],
    ["git_show", { repository_path: "swapped" }],
    ["ci_run_command", { cwd: "swapped", argv: ["node", "-p", "require('fs').readdirSync('.').join()"] }],
  ],
};

/** Programs take their time. */
const ROUNDS: Readonly<Record<string, number>> = { "running programs": 5, searching: 15 };
const USUAL_ROUNDS = 30;

/** What most servers do: look up where a path leads, and then use the path. */
async function readCarelessly(root: string, given: string): Promise<string> {
  const place = path.join(root, given);
  const real = await realpath(place);
  return real.startsWith(`${root}/`) ? await readFile(place, "utf8") : "";
}

describe.skipIf(process.platform !== "linux")("while a folder is swapped with a link to the outside", () => {
  test("a check before the operation does not help, so the attack is real", async () => {
    const arena = await openArena();
    await putFiles(arena.root, { [`swapped/${OUTSIDE_NAME}.txt`]: "inside" });
    const swapping = await startSwapping(arena, "swapped");
    let read = "";
    // On a busy machine the other process may have to wait long for its turn.
    for (let tries = 0; tries < 2_000_000 && !read.includes(SECRET); tries++)
      read = await readCarelessly(arena.root, THERE).catch(() => "");
    expect(read).toContain(SECRET);
    await swapping.stop();
  }, 120_000);

  test.each(Object.entries(DEEDS))("%s gains nothing", async (what, calls) => {
    const arena = await openArena();
    const before = await arena.snapshot();
    const swapping = await startSwapping(arena, "swapped");
    const faults = new Set<string>();
    const endings = new Set<boolean>();
    const rounds = ROUNDS[what] ?? USUAL_ROUNDS;
    // Both the folder and the link must have been met, or the race was none.
    for (let round = 0; round < rounds || (endings.size < 2 && round < 60 * rounds); round++) {
      for (const [tool, args] of calls) {
        const { isError, code, text, whole } = await arena.say(tool, args);
        // A name that the caller gave is no secret, in whatever folder the tool has met it.
        const isNamed = !JSON.stringify(args).includes(OUTSIDE_NAME) && whole.includes(OUTSIDE_NAME);
        if (isNamed || whole.includes(SECRET)) faults.add(`${tool} shows the outside: ${whole}`);
        if (isError && typeof code !== "string") faults.add(`${tool} fails without a code: ${text}`);
        endings.add(isError);
      }
    }
    expect(await swapping.stop()).toBeGreaterThan(0);
    expect([...faults]).toEqual([]);
    expect(await arena.snapshot()).toBe(before);
    expect(endings).toEqual(new Set([true, false]));
  });
});
