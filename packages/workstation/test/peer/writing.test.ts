import { chmod, lstat, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openWorkstation } from "../kit.js";
import { startOfficialServer } from "./official-server.js";

describe("beside the official file server, ours", () => {
  test("writes, edits, makes folders and moves with the same result on the disk, and takes it back", async () => {
    const { root, call, fail } = await openWorkstation();
    const official = await startOfficialServer(root);
    onTestFinished(() => official.close());
    const at = (name: string): string => path.join(root, name);
    const read = (name: string): Promise<string> => readFile(at(name), "utf8");
    await Promise.all(["theirs", "ours"].map((name) => mkdir(at(name))));

    await official.ask("write_file", { path: at("theirs/a.txt"), content: "one\ntwo\n" });
    const { hash } = await call("fs_write_file", { path: "ours/a.txt", content: "one\ntwo\n" });
    expect(await read("ours/a.txt")).toBe(await read("theirs/a.txt"));

    const edits = { edits: [{ oldText: "two", newText: "2" }] };
    const dry = await official.ask("edit_file", { path: at("theirs/a.txt"), ...edits, dryRun: true });
    expect(dry.text).toContain("-two\n+2");
    const ourDry = await call("fs_edit_file", { path: "ours/a.txt", edits: [{ old: "two", new: "2" }], dry_run: true });
    expect(ourDry["diff"]).toContain("-two\n+2");
    expect([await read("theirs/a.txt"), await read("ours/a.txt")]).toEqual(["one\ntwo\n", "one\ntwo\n"]);
    await official.ask("edit_file", { path: at("theirs/a.txt"), ...edits });
    await call("fs_edit_file", { path: "ours/a.txt", edits: [{ old: "two", new: "2" }] });
    expect([await read("theirs/a.txt"), await read("ours/a.txt")]).toEqual(["one\n2\n", "one\n2\n"]);

    await official.ask("create_directory", { path: at("theirs/x/y") });
    await call("fs_create_directory", { path: "ours/x/y" });
    await official.ask("move_file", { source: at("theirs/a.txt"), destination: at("theirs/x/y/b.txt") });
    await call("fs_move", { from: "ours/a.txt", to: "ours/x/y/b.txt" });
    expect(await readdir(at("ours"), { recursive: true })).toEqual(await readdir(at("theirs"), { recursive: true }));

    // Theirs moves into a folder that must be there, and overwrites what somebody else has written meanwhile.
    expect((await official.ask("move_file", { source: at("theirs/x"), destination: at("theirs/n/x") })).isError).toBe(
      true,
    );
    await call("fs_move", { from: "ours/x", to: "ours/n/x" });
    expect((await lstat(at("ours/n/x/y/b.txt"))).isFile()).toBe(true);

    await writeFile(at("ours/n/x/y/b.txt"), "somebody else\n");
    await writeFile(at("theirs/x/y/b.txt"), "somebody else\n");
    expect((await official.ask("write_file", { path: at("theirs/x/y/b.txt"), content: "mine\n" })).isError).toBe(false);
    const stale = { path: "ours/n/x/y/b.txt", content: "mine\n", expected_hash: hash as string };
    expect((await fail("fs_write_file", stale)).code).toBe("CONFLICT");
    expect([await read("theirs/x/y/b.txt"), await read("ours/n/x/y/b.txt")]).toEqual(["mine\n", "somebody else\n"]);

    await call("fs_write_file", { path: "ours/n/x/y/b.txt", content: "mine\n" });
    await call("undo_last");
    expect(await read("ours/n/x/y/b.txt")).toBe("somebody else\n");
  });

  test("keeps the mode of what it writes anew", async () => {
    const { root, call } = await openWorkstation({ files: { "run.sh": "#!/bin/sh\n" } });
    await chmod(path.join(root, "run.sh"), 0o755);
    await call("fs_write_file", { path: "run.sh", content: "#!/bin/sh\necho\n" });
    expect((await stat(path.join(root, "run.sh"))).mode & 0o777).toBe(0o755);
  });
});
