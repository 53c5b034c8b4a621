import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { makeFolder, openWorkstation } from "../kit.js";
import { hasGit, makeRepository, putProgram } from "./repository.js";

/** Puts a program in the place of git that does something first; it goes with the test, as the repository's home does. */
async function standIn(folder: string, first: string): Promise<void> {
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  await putProgram(path.join(folder, "git"), [first, `exec ${real} "$@"`]);
  vi.stubEnv("PATH", `${folder}${path.delimiter}${process.env["PATH"]}`);
}

describe.skipIf(!hasGit)("git", () => {
  test("a call that is cancelled while git is looked at takes no other one with it", async () => {
    const repository = await makeRepository();
    const folder = await makeFolder();
    const [asked, go] = [path.join(folder, "asked"), path.join(folder, "go")];
    const { client, call } = await openWorkstation({ root: repository.root });
    await standIn(folder, `if [ "$1" = version ]; then : > ${asked}; while [ ! -e ${go} ]; do sleep 0.05; done; fi`);
    const first = client.startRequest("tools/call", { name: "git_status", arguments: {} });
    await vi.waitFor(() => expect(existsSync(asked)).toBe(true), 20_000);
    const second = call("git_status");
    // Until the second one waits for the same.
    for (let left = 30; left > 0; left -= 1) await call("fs_file_exists", { path: "a" });
    client.notify("notifications/cancelled", { requestId: first.id });
    await call("fs_file_exists", { path: "a" });
    await writeFile(go, "");
    expect(await second).toMatchObject({ branch: "main" });
  });

  test("runs no hook of the configuration, unless hooks are allowed", async () => {
    const repository = await makeRepository();
    await writeFile(
      repository.path(".git/config"),
      '[core]\n\trepositoryformatversion = 0\n[hook "X y"]\n\tevent = post-commit\n\tcommand = ./evil\n',
    );
    const folder = await makeFolder();
    const said = path.join(folder, "said");
    await standIn(folder, `case " $* " in *" commit "*) env > ${said};; esac`);
    for (const gitHooks of [false, true]) {
      const { call } = await openWorkstation({ root: repository.root, settings: { gitHooks } });
      await repository.put({ a: String(gitHooks) });
      repository.git("add", "a");
      await call("git_commit", { message: "x" });
      const at = /^GIT_CONFIG_KEY_(\d+)=hook\.X y\.enabled$/m.exec(await readFile(said, "utf8"))?.[1];
      const value = new RegExp(`^GIT_CONFIG_VALUE_${at}=(.*)$`, "m").exec(await readFile(said, "utf8"))?.[1];
      expect([gitHooks, value]).toEqual([gitHooks, gitHooks ? undefined : "false"]);
    }
  });
});
