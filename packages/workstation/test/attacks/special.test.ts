import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { link, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Arena, HIDDEN, OUTSIDE_NAME, openArena, SECRET } from "./arena.js";
import { SLOTS } from "./slots.js";

/** A program of the system. */
const pipeMaker = "mkfifo";

/** Puts a pipe, a socket and, where the user may, a device into the root. */
async function putSpecialFiles({ root }: Arena): Promise<readonly string[]> {
  await mkdir(path.join(root, "special"));
  execFileSync(pipeMaker, [path.join(root, "special/pipe")]);
  const server = createServer().listen(path.join(root, "special/socket"));
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const names = ["special/pipe", "special/socket"];
  try {
    execFileSync("mknod", [path.join(root, "special/device"), "c", "1", "5"], { stdio: "ignore" });
    return [...names, "special/device"];
  } catch {
    return names;
  }
}

describe.skipIf(process.platform === "win32")("special files", () => {
  test("are neither read nor waited for by any tool", async () => {
    const arena = await openArena();
    const names = await putSpecialFiles(arena);
    const unclear: string[] = [];
    for (const slot of SLOTS.filter(({ tool }) => tool.startsWith("fs_")))
      for (const name of [...names, "special"]) {
        const { isError, code, text } = await arena.say(slot.tool, slot.args(name));
        if (isError && typeof code !== "string") unclear.push(`${slot.tool} ${slot.at} ${name}: ${text}`);
      }
    expect(unclear).toEqual([]);
  });

  test("are named in the error of a read", async () => {
    const arena = await openArena();
    await putSpecialFiles(arena);
    const said = await arena.say("fs_read_file", { path: "special/pipe" });
    expect([said.code, said.text]).toEqual(["INVALID_ARGUMENT", '"special/pipe" is a named pipe, not a regular file.']);
    expect((await arena.say("fs_read_file", { path: "special/socket" })).text).toBe(
      '"special/socket" is a socket, not a regular file.',
    );
  });
});

describe.skipIf(process.platform === "win32")("tools that go through folders", () => {
  const calls: readonly (readonly [tool: string, args: JsonObject])[] = [
    ["fs_list_directory", { path: "." }],
    ["fs_tree", { path: ".", depth: 20, ignored: true }],
    ["fs_find", { glob: "**", kind: "any", ignored: true }],
    ["fs_find", { glob: "**/*.txt", ignored: true }],
    ["fs_find", { glob: "link-folder/**", ignored: true }],
    ["fs_find", { glob: "{.env,vault/*}", kind: "any", ignored: true }],
    ["fs_search", { pattern: "SECRET|HIDDEN|ledger", ignored: true }],
    ["fs_search", { pattern: ".", ignored: true, glob: "{.env,vault/**,link-folder/**}" }],
    ["fs_search", { pattern: ".", ignored: true, glob: "!readme.md" }],
    ["git_status", {}],
    ["git_log", { files: true }],
    ["git_show", {}],
    ["git_diff", {}],
  ];
  test.each(calls)("%s %j shows nothing outside or hidden", async (tool, args) => {
    const { whole, isError } = await (await openArena()).say(tool, args);
    expect(isError).toBe(false);
    for (const mark of [SECRET, HIDDEN, OUTSIDE_NAME, '".env', "vault/key", '"vault"', '"vault/"'])
      expect(whole).not.toContain(mark);
  });
});

describe.skipIf(process.platform === "win32")("git", () => {
  const calls: readonly (readonly [tool: string, args: JsonObject])[] = [
    ["git_show", { revision: "HEAD:vault/key.txt" }],
    ["git_show", { revision: "HEAD:.env" }],
    ["git_show", { revision: ":vault/key.txt" }],
    ["git_show", { revision: "HEAD^{tree}" }],
    ["git_show", { path: ":(top)vault/key.txt" }],
    ["git_show", { path: "./vault/../vault/key.txt" }],
    ["git_show", { revision: "--output=../outside/new.txt" }],
    ["git_show", { revision: "-O../outside/ledger-c41.txt" }],
    ["git_diff", { target: "--no-index" }],
    ["git_diff", { target: "--output=../outside/new.txt" }],
    ["git_diff", { target: "4b825dc642cb6eb9a060e54bf8d69288fbee4904" }],
    ["git_diff", { target: "HEAD:vault" }],
    ["git_diff", { target: "HEAD", paths: [":(glob)**"] }],
    ["git_diff", { target: "HEAD", paths: ["*"] }],
    ["git_log", { revision: "--all --output=../outside/new.txt" }],
    ["git_log", { revision: "--output=../outside/new.txt" }],
    ["git_log", { author: "--output=../outside/new.txt" }],
    ["git_log", { path: "vault/key.txt" }],
    ["git_blame", { path: "readme.md", revision: "--contents=../outside/ledger-c41.txt" }],
    ["git_blame", { path: "vault/key.txt" }],
    ["git_blame", { path: "link-file" }],
    ["git_branch_create", { name: "--edit-description" }],
    ["git_branch_create", { name: "../../../outside/new" }],
    ["git_branch_create", { name: "x", start_point: "--force" }],
    ["git_add", { files: [":(top)../outside"] }],
    ["git_add", { files: ["--pathspec-from-file=../outside/ledger-c41.txt"] }],
    ["git_add", { files: ["link-folder/../../outside/ledger-c41.txt"] }],
    ["git_commit", { message: "--file=../outside/ledger-c41.txt" }],
    ["git_commit", { message: "m\n--amend" }],
  ];
  test("shows nothing hidden or outside and writes nothing there, whatever it is asked", async () => {
    const arena = await openArena();
    const before = await arena.snapshot();
    await writeFile(path.join(arena.root, "vault/key.txt"), `changed ${HIDDEN}\n`);
    const faults: string[] = [];
    for (const [tool, args] of calls) {
      const { isError, code, text, whole } = await arena.say(tool, args);
      if (whole.includes(SECRET) || whole.includes(HIDDEN)) faults.push(`${tool} ${JSON.stringify(args)}: ${whole}`);
      if (isError && typeof code !== "string") faults.push(`${tool} ${JSON.stringify(args)}: ${text}`);
    }
    expect(faults).toEqual([]);
    expect(await arena.snapshot()).toBe(before);
  });
});

describe.skipIf(process.platform === "win32")("entries that look like files of the root", () => {
  test("is a hard link: it is read, but what is outside stays as it is", async () => {
    const arena = await openArena();
    await writeFile(path.join(arena.outside, "shared.txt"), "shared\n");
    await link(path.join(arena.outside, "shared.txt"), path.join(arena.root, "hard.txt"));
    expect((await arena.call("fs_read_file", { path: "hard.txt" }))["text"]).toBe("shared\n");
    await arena.call("fs_edit_file", { path: "hard.txt", edits: [{ old_string: "shared", new_string: "mine" }] });
    expect(await readFile(path.join(arena.outside, "shared.txt"), "utf8")).toBe("shared\n");
    expect(await readFile(path.join(arena.root, "hard.txt"), "utf8")).toBe("mine\n");
    await arena.call("fs_delete_file", { path: "hard.txt" });
    expect(await readFile(path.join(arena.outside, "shared.txt"), "utf8")).toBe("shared\n");
  });
});

describe.skipIf(process.platform === "win32")("what is hidden", () => {
  test("does not come to light when a folder above it is moved", async () => {
    const arena = await openArena(["src/deep/er/**"]);
    const said = await arena.say("fs_move", { from: "src", to: "moved" });
    expect(said.code).toBe("FORBIDDEN_PATH");
    expect((await arena.say("fs_read_file", { path: "moved/deep/er/leaf.txt" })).isError).toBe(true);
    const deeper = await arena.say("fs_move", { from: "src/deep", to: "moved" });
    expect(deeper.code).toBe("FORBIDDEN_PATH");
  });
});
