import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "./pack.js";

const main = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "code-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const version = (env: NodeJS.ProcessEnv) => run(process.execPath, [main, "--version"], folder, env);
const code = () => path.join(folder, "toolwright", "code");

describe.skipIf(process.platform === "win32")("compiled code", () => {
  test("is kept for the user alone, and used", async () => {
    await version({ XDG_CACHE_HOME: folder });
    const file = (await readdir(code())).find((name) => name.startsWith("first-")) ?? "";
    const before = await stat(path.join(code(), file));
    expect(file).toMatch(new RegExp(`^first-[\\da-f]{16}-${process.version}-${process.arch}-`));
    expect((await stat(code())).mode & 0o777).toBe(0o700);
    expect(before.mode & 0o777).toBe(0o600);
    expect(await version({ XDG_CACHE_HOME: folder })).toMatch(/^\d/);
    expect((await stat(path.join(code(), file))).ino).toBe(before.ino);
  });

  test("is kept for each command, so that one that uses little of a file leaves no other with that little", async () => {
    const ask = (...words: string[]) => run(process.execPath, [main, ...words], folder, { XDG_CACHE_HOME: folder });
    const sizes = async () => {
      const files = (await readdir(code())).filter((name) => name.startsWith("serve-"));
      return Promise.all(files.map(async (name) => (await stat(path.join(code(), name))).size));
    };
    await ask("key", "ada");
    const [little = 0, ...none] = await sizes();
    expect(none).toEqual([]);
    await ask("tools");
    expect((await sizes()).sort((one, other) => one - other)).toEqual([little, expect.any(Number)]);
    expect(Math.max(...(await sizes()))).toBeGreaterThan(5 * little);
  });

  test("that is broken is ignored", async () => {
    await version({ XDG_CACHE_HOME: folder });
    const [file = ""] = await readdir(code());
    await writeFile(path.join(code(), file), "no code");
    expect(await version({ XDG_CACHE_HOME: folder })).toMatch(/^\d/);
  });

  test("that others could have written is not used, and nothing is put beside it", async () => {
    await mkdir(code(), { recursive: true });
    await chmod(code(), 0o777);
    expect(await version({ XDG_CACHE_HOME: folder })).toMatch(/^\d/);
    expect(await readdir(code())).toEqual([]);
  });

  test.each([
    ["there is no home", { HOME: "", XDG_CACHE_HOME: "" }],
    ["nothing can be written", { XDG_CACHE_HOME: "/dev/null" }],
    ["Node is told to keep none", { NODE_DISABLE_COMPILE_CACHE: "1" }],
  ])("is not missed where %s", async (_where, env) => {
    expect(await version({ HOME: folder, XDG_CACHE_HOME: "", ...env })).toMatch(/^\d/);
    expect(await readdir(folder)).toEqual([]);
  });
});
