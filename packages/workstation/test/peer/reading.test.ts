import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openWorkstation, putFiles, type TestWorkstation } from "../kit.js";
import { type OfficialServer, startOfficialServer } from "./official-server.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const LINES = Array.from({ length: 500 }, (_, at) => `line ${at + 1}\n`).join("");

const FILES = {
  "readme.md": "# Title\n\nWords.\n",
  "lines.txt": LINES,
  "src/main.ts": "export const main = 1;\n",
  "src/deep/leaf.ts": "export {};\n",
  "picture.png": PNG,
  "utf16.txt": Buffer.from("\ufeffGrüße\n", "utf16le"),
  "binary.bin": Buffer.from([0, 1, 2, 255, 254, 0, 0, 7]),
  ".gitignore": "ignored/\n",
  "ignored/out.ts": "built\n",
  "large/large.txt": LINES.repeat(1000),
};

let root: string;
let outside: string;
let official: OfficialServer;

beforeAll(async () => {
  const base = await realpath(await mkdtemp(path.join(os.tmpdir(), "peer-")));
  [root, outside] = [path.join(base, "root"), path.join(base, "outside")];
  await putFiles(root, FILES);
  await putFiles(outside, { "secret.txt": "" });
  official = await startOfficialServer(root);
});

afterAll(async () => {
  await official.close();
  await rm(path.dirname(root), { recursive: true, force: true });
});

const ask: OfficialServer["ask"] = (tool, args) => official.ask(tool, args);
const at = (name: string): string => path.join(root, name);

/** Ours over the same folder. */
const openOurs = (): Promise<TestWorkstation> => openWorkstation({ root });

describe("beside the official file server, ours", () => {
  test("reads the same text, and gives the hash that a later write is checked with", async () => {
    const { call } = await openOurs();
    expect((await ask("read_text_file", { path: at("readme.md") })).text).toBe("# Title\n\nWords.\n");
    expect(await call("fs_read_file", { path: "readme.md" })).toMatchObject({
      text: "# Title\n\nWords.\n",
      hash: expect.stringMatching(/^sha256:[0-9a-f]{32}$/),
      total_lines: 3,
    });
  });

  test("reads the head, the tail and, unlike it, the middle of a file", async () => {
    const { call } = await openOurs();
    expect((await ask("read_text_file", { path: at("lines.txt"), head: 2 })).text).toBe("line 1\nline 2");
    expect((await call("fs_read_file", { path: "lines.txt", limit: 2 }))["text"]).toBe("line 1\nline 2\n");
    expect((await ask("read_text_file", { path: at("lines.txt"), tail: 2 })).text).toContain("line 500");
    expect((await call("fs_read_file", { path: "lines.txt", offset: -2 }))["text"]).toBe("line 499\nline 500\n");
    expect((await call("fs_read_file", { path: "lines.txt", offset: 250, limit: 1 }))["text"]).toBe("line 250\n");
  });

  test("shows the same image", async () => {
    const { client } = await openOurs();
    const [theirs] = (await ask("read_media_file", { path: at("picture.png") })).blocks;
    const { content } = await client.callTool("fs_read_file", { path: "picture.png" });
    const [block] = content as JsonObject[];
    expect(theirs).toMatchObject({ type: "image", mimeType: "image/png", data: PNG.toString("base64") });
    expect(block).toMatchObject({ type: "image", mimeType: "image/png", data: PNG.toString("base64") });
  });

  test("reads what it garbles: UTF-16, and bytes that are no text", async () => {
    const { call } = await openOurs();
    expect((await ask("read_text_file", { path: at("utf16.txt") })).text).toContain("\ufffd");
    expect(await call("fs_read_file", { path: "utf16.txt" })).toMatchObject({ text: "Grüße\n", encoding: "utf-16le" });
    expect((await ask("read_text_file", { path: at("binary.bin") })).text).toContain("\ufffd");
    expect(await call("fs_read_file", { path: "binary.bin" })).toMatchObject({ kind: "binary", size: 8 });
  });

  test("reads several files as well, each in its own call", async () => {
    const { call } = await openOurs();
    const names = ["readme.md", "src/main.ts"];
    const { text } = await ask("read_multiple_files", { paths: names.map(at) });
    const read = await Promise.all(names.map((name) => call("fs_read_file", { path: name })));
    expect(read.map((each) => text.includes(each["text"] as string))).toEqual([true, true]);
  });

  test("lists the same entries, with kinds and sizes", async () => {
    const { call } = await openOurs();
    const theirs = (await ask("list_directory", { path: root })).text.split("\n").sort();
    const { entries } = await call("fs_list_directory", { path: "." });
    const ours = (entries as { name: string; kind: string; size?: number }[])
      .map(({ name, kind }) => `${kind === "directory" ? "[DIR]" : "[FILE]"} ${name}`)
      .sort();
    expect(ours).toEqual(theirs);
    expect((entries as JsonObject[]).find(({ name }) => name === "readme.md")).toMatchObject({
      kind: "file",
      size: 16,
    });
    expect((await ask("list_directory_with_sizes", { path: root })).text).toMatch(/readme\.md\s+16 B/);
  });

  test("draws the same tree, without what git ignores unless it is asked for", async () => {
    const { call } = await openOurs();
    interface Node {
      readonly name: string;
      readonly type: string;
      readonly children?: readonly Node[];
    }
    const flat = (nodes: readonly Node[], above = ""): string[] =>
      nodes.flatMap(({ name, type, children = [] }) => [
        `${above}${name}${type === "directory" ? "/" : ""}`,
        ...flat(children, `${above}${name}/`),
      ]);
    const theirs = flat(JSON.parse((await ask("directory_tree", { path: root })).text) as Node[]).sort();
    const all = await call("fs_tree", { path: ".", depth: 10, ignored: true });
    expect((all["entries"] as string[]).toSorted()).toEqual(theirs);
    const { entries } = await call("fs_tree", { path: ".", depth: 10 });
    expect(theirs).toContain("ignored/out.ts");
    expect(entries).not.toContain("ignored/out.ts");
  });

  test("finds the same files by glob", async () => {
    const { call } = await openOurs();
    const theirs = (await ask("search_files", { path: root, pattern: "**/*.ts" })).text.split("\n");
    const { found } = await call("fs_find", { glob: "**/*.ts", ignored: true });
    expect((found as { path: string }[]).map(({ path: each }) => path.join(root, each))).toEqual(theirs.toSorted());
    expect((found as JsonObject[]).length).toBe(3);
  });

  test("searches what is in files, which it cannot", async () => {
    const { call } = await openOurs();
    const { text, isError } = await ask("search_files", { path: root, pattern: "export const" });
    expect([text, isError]).toEqual(["No matches found", false]);
    expect(await call("fs_search", { pattern: "export const" })).toMatchObject({
      files: [{ path: "src/main.ts", matches: [{ line: 1, column: 1, text: "export const main = 1;" }] }],
    });
  });

  test("knows as much of a file", async () => {
    const { call } = await openOurs();
    const { text } = await ask("get_file_info", { path: at("readme.md") });
    const info = await call("fs_info", { path: "readme.md" });
    expect(text).toContain("size: 16");
    expect(info).toMatchObject({ path: "readme.md", kind: "file", size: 16, encoding: "utf-8" });
    for (const field of ["modified", "created", "accessed", "mode"]) expect(info[field]).toEqual(expect.any(String));
  });

  test("refuses what leads out, as it does, with a code and what to do", async () => {
    const { fail } = await openOurs();
    await symlink(outside, path.join(root, "out"));
    onTestFinished(() => rm(path.join(root, "out")));
    const given = path.join(root, "out/secret.txt");
    const theirs = await ask("read_text_file", { path: given });
    expect(theirs.isError).toBe(true);
    const ours = await fail("fs_read_file", { path: given });
    expect(ours.code).toBe("FORBIDDEN_PATH");
    expect(ours.text).toContain("Use a path inside");
    // It tells where the link leads; ours does not.
    expect([theirs.text.includes(outside), ours.text.includes(outside)]).toEqual([true, false]);
  });

  test("answers with a page where it sends a large file twice over", async () => {
    const { client } = await openOurs();
    const args = { path: at("large/large.txt") };
    expect((await ask("read_text_file", args)).text.length).toBe(4_392_000);
    const result = await client.callTool("fs_read_file", args);
    expect(JSON.stringify(result).length).toBeLessThan(200_000);
    expect((result["structuredContent"] as JsonObject)["next"]).toMatchObject({ offset: expect.any(Number) });
  });
});
