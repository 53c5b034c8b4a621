import { execFileSync } from "node:child_process";
import { lstat, mkdir, mkdtemp, open, readdir, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FileAccess, type FileAccessOptions } from "../../../src/files/file-access.js";
import { realPathOf } from "../../../src/files/file-handles.js";

/** A program of the system. */
const pipeMaker = "mkfifo";

/** A root with files and links, and something outside that must stay there. */
async function makePlaces(options: Partial<FileAccessOptions> = {}) {
  const base = await realpath(await mkdtemp(path.join(os.tmpdir(), "reach-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const [root, outside] = [path.join(base, "root"), path.join(base, "outside")];
  await mkdir(path.join(root, "src"), { recursive: true });
  await mkdir(path.join(outside, "folder"), { recursive: true });
  await writeFile(path.join(root, "src/main.ts"), "inside");
  await writeFile(path.join(outside, "file"), "secret");
  const link = (name: string, target: string) => symlink(target, path.join(root, name));
  const reach = new FileAccess({ roots: [{ configuredPath: root, realPath: root }], timeoutMs: 60_000, ...options });
  return { base, root, outside, link, reach };
}

const saidBy = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "it was done",
    (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
  );

describe.skipIf(process.platform === "win32")("paths outside the roots", () => {
  test("gives one answer, whatever is there and whatever it is", async () => {
    const { root, outside, link, reach } = await makePlaces();
    await symlink("nothing", path.join(outside, "dangling"));
    await symlink("loop", path.join(outside, "loop"));
    await link("out", outside);
    await link("gone", path.join(outside, "not-there"));
    await link("chain", "gone");
    await link("file", path.join(outside, "file"));
    const paths = ["file", "not-there", "file/x", "folder/x", "dangling", "loop", "dangling/x", "loop/x"];
    const given = [...paths.map((each) => `out/${each}`), "out", "gone", "gone/x", "chain", "file", "file/x"];
    for (const each of given) {
      const expected = `FORBIDDEN_PATH: Cannot use "${each}": it follows a link that lies outside the allowed folders. Use a path inside ${root}.`;
      expect(await saidBy(reach.stat(each))).toBe(expected);
      expect(await saidBy(reach.openFile(each))).toBe(expected);
      expect(await saidBy(reach.openFolder(each))).toBe(expected);
      expect(await saidBy(reach.openEntry(each, { create: true }))).toBe(expected);
    }
  });
});

describe.skipIf(process.platform === "win32")("inside the root", () => {
  test("links are followed, and those that lead nowhere are refused", async () => {
    const { root, link, reach } = await makePlaces();
    await link("to-src", "src");
    await link("absolute", path.join(root, "src/main.ts"));
    await link("nowhere", "not-there");
    await link("self", "self");
    await using file = await reach.openFile("to-src/main.ts");
    expect([await file.handle.readFile("utf8"), reach.displayPath(file.realPath)]).toEqual(["inside", "src/main.ts"]);
    expect((await reach.stat("absolute"))?.realPath).toBe(path.join(root, "src/main.ts"));
    expect(await saidBy(reach.stat("nowhere"))).toBe(
      'FORBIDDEN_PATH: Cannot use "nowhere": it goes through a symbolic link that leads to nothing.',
    );
    expect(await saidBy(reach.openEntry("nowhere"))).toBe(
      'FORBIDDEN_PATH: Cannot use "nowhere": it goes through a symbolic link that leads to nothing.',
    );
    expect(await saidBy(reach.stat("self"))).toBe(
      'FORBIDDEN_PATH: Cannot use "self": its symbolic links lead in a circle.',
    );
    await using entry = await reach.openEntry("nowhere", { follow: false });
    expect(entry.realPath).toBe(path.join(root, "nowhere"));
  });

  test("faults are said of the path as it was given", async () => {
    const { root, reach } = await makePlaces();
    expect(await saidBy(reach.openFile("src/mian.ts"))).toBe(
      'NOT_FOUND: "src/mian.ts" does not exist. Did you mean "src/main.ts"?',
    );
    expect(await saidBy(reach.openFile("src"))).toBe('INVALID_ARGUMENT: "src" is a folder, not a regular file.');
    expect(await saidBy(reach.openFolder("src/main.ts"))).toBe(
      'INVALID_ARGUMENT: "src/main.ts" is a file, not a folder.',
    );
    expect(await saidBy(reach.stat("src/main.ts/x"))).toBe(
      'NOT_FOUND: Cannot use "src/main.ts/x": a part of it is a file, not a folder.',
    );
    expect(await saidBy(reach.stat(`src/${"x".repeat(300)}`))).toMatch(/^INVALID_ARGUMENT: .* a name is too long\.$/);
    expect(await saidBy(reach.openEntry("."))).toBe(
      'FORBIDDEN_PATH: Cannot use ".": it is one of the allowed folders itself.',
    );
    expect(await saidBy(reach.openEntry("a/b/c"))).toBe('NOT_FOUND: "a/b" does not exist.');
    expect(await readdir(root)).toEqual(["src"]);
  });

  test("folders on the way are made, for a name that stands for itself as well", async () => {
    const { root, reach } = await makePlaces();
    for (const follow of [true, false]) {
      await using entry = await reach.openEntry(`new-${follow}/a/b`, { follow, create: true });
      expect(entry.realPath).toBe(path.join(root, `new-${follow}/a/b`));
      expect((await lstat(path.dirname(entry.realPath))).isDirectory()).toBe(true);
    }
  });

  test("what is hidden is neither there nor suggested, and what is protected is not changed", async () => {
    const { root, link, reach } = await makePlaces({
      denial: (place) => (place.includes("secret") ? "it is hidden" : undefined),
      protection: (place) => (place.includes("kept") ? "it is kept" : undefined),
    });
    await mkdir(path.join(root, "kept"));
    await writeFile(path.join(root, "secrets"), "");
    await link("public", "secrets");
    await link("way", "kept");
    for (const given of ["secrets", "public", "secret-not-there", "secrets/x"])
      expect(await saidBy(reach.stat(given))).toBe(`FORBIDDEN_PATH: Cannot use "${given}": it is hidden.`);
    expect(await saidBy(reach.openFile("zecrets"))).toBe('NOT_FOUND: "zecrets" does not exist.');
    expect(await saidBy(reach.openEntry("way/x"))).toBe('FORBIDDEN_PATH: Cannot use "way/x": it is kept.');
    expect((await reach.stat("way"))?.realPath).toBe(path.join(root, "kept"));
    expect([reach.isVisible(path.join(root, "a")), reach.isVisible(path.join(root, "secrets"))]).toEqual([true, false]);
    expect(reach.isVisible("/")).toBe(false);
  });

  test("a root that has gone is said to have, and works when it is back", async () => {
    const { root, reach } = await makePlaces();
    await rename(root, `${root}-away`);
    const gone = `the allowed folder "${root}" does not exist any more.`;
    expect(await saidBy(reach.stat("src"))).toBe(`NOT_FOUND: Cannot use "src": ${gone}`);
    expect(await saidBy(reach.openEntry("a/b", { create: true }))).toBe(`NOT_FOUND: Cannot use "a/b": ${gone}`);
    await rename(`${root}-away`, root);
    expect((await reach.stat("src"))?.stats.isDirectory()).toBe(true);
  });

  test("a root that became a link to elsewhere allows nothing", async () => {
    const { root, outside, reach } = await makePlaces();
    await rename(root, `${root}-away`);
    await symlink(outside, root);
    expect(await saidBy(reach.openFile("file"))).toMatch(/^FORBIDDEN_PATH: /);
    expect(await saidBy(reach.stat("."))).toMatch(/^FORBIDDEN_PATH: /);
  });

  test("special files are listed and not opened", async () => {
    const { root, reach } = await makePlaces();
    execFileSync(pipeMaker, [path.join(root, "pipe")]);
    expect(await saidBy(reach.openFile("pipe"))).toBe('INVALID_ARGUMENT: "pipe" is a named pipe, not a regular file.');
    expect(await saidBy(reach.openFolder("pipe"))).toBe('INVALID_ARGUMENT: "pipe" is a named pipe, not a folder.');
    expect((await reach.stat("pipe"))?.stats.isFIFO()).toBe(true);
  });

  test("no handle is left open", async () => {
    const { link, outside, reach } = await makePlaces();
    await link("out", outside);
    const count = async () => (await readdir("/dev/fd")).length;
    const work = async () => {
      for (const given of ["src/main.ts", "src", "mian", "out/x", "a/b", "src/main.ts/x", "."]) {
        await saidBy(reach.stat(given));
        const all = [reach.openFile(given), reach.openFolder(given), reach.openEntry(given)];
        for (const each of await Promise.allSettled(all))
          if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]();
      }
    };
    await work();
    const before = await count();
    for (let round = 0; round < 20; round++) await work();
    expect(await count()).toBe(before);
  });
});

describe.skipIf(process.platform === "win32")("what is open", () => {
  test.each([true, false])("is known by where it lies, where the system tells: %s", async (tells) => {
    if (tells && process.platform !== "linux") return;
    const { root, outside } = await makePlaces();
    const place = path.join(root, "src/main.ts");
    const odd = path.join(root, "odd (deleted)");
    await writeFile(odd, "");
    for (const each of [place, odd]) {
      await using handle = await open(each);
      expect(await realPathOf("x", handle, each, { tells })).toBe(each);
    }
    await using handle = await open(place);
    await rm(place);
    if (!tells) await writeFile(place, "another");
    expect(await saidBy(realPathOf("x", handle, place, { tells }))).toBe(
      'CONFLICT: Cannot use "x": it was replaced while it was being opened. Nothing was changed; try again.',
    );
    await using other = await open(path.join(outside, "file"));
    if (tells) expect(await realPathOf("x", other, place, { tells })).toBe(path.join(outside, "file"));
    else expect(await saidBy(realPathOf("x", other, place, { tells }))).toMatch(/^CONFLICT: /);
  });
});
