import { readFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { expect, test } from "vitest";
import { openWorkstation } from "../kit.js";

const OLD = "one\ntwo\nthree\n";

test.each<[string, JsonObject]>([
  ["the documented names", { path: "a", edits: [{ old_string: "two", new_string: "2" }] }],
  ["names of version 0.1", { path: "a", edits: [{ old: "two", new: "2" }] }],
  ["names of the official file server", { path: "a", edits: [{ oldText: "two", newText: "2" }], dryRun: false }],
  ["old_text and new_text", { path: "a", edits: [{ old_text: "two", new_text: "2" }] }],
  ["one edit without a list", { file_path: "a", old_string: "two", new_string: "2" }],
  ["one edit with replace_all", { file_path: "a", old_string: "two", new_string: "2", replace_all: true }],
  ["old_str and new_str", { path: "a", old_str: "two", new_str: "2" }],
  ["one edit as an object", { path: "a", edits: { old_string: "two", new_string: "2" } }],
  ["edits as JSON text", { path: "a", edits: JSON.stringify([{ old_string: "two", new_string: "2" }]) }],
  ["lines", { path: "a", edits: [{ start_line: 2, end_line: 2, new_string: "2" }] }],
  ["lines without a list", { path: "a", startLine: 2, endLine: 2, new_string: "2\n" }],
])("fs_edit_file accepts %s", async (_form, args) => {
  const { root, call } = await openWorkstation({ files: { a: OLD } });
  await call("fs_edit_file", args);
  expect(await readFile(path.join(root, "a"), "utf8")).toBe("one\n2\nthree\n");
});

test("the schema shows one name for each argument", async () => {
  const { client } = await openWorkstation();
  const tools = await client.listTools();
  const { inputSchema } = tools.find(({ name }) => name === "fs_edit_file") ?? {};
  for (const name of ["old_text", "oldText", "file_path", "dryRun"])
    expect(JSON.stringify(inputSchema)).not.toContain(name);
});

test("an argument with two names is rejected", async () => {
  const { fail } = await openWorkstation({ files: { a: OLD } });
  const args = { path: "a", file_path: "b", edits: [{ old_string: "two", new_string: "2" }] };
  expect((await fail("fs_edit_file", args)).text).toContain("unknown argument");
  expect((await fail("fs_edit_file", { path: "a", edits: [{ old: "a" }], more: 1 })).text).toContain(
    "unknown argument",
  );
  expect((await fail("edit_file", { path: "a", edits: "oldText" })).code).toBe("INVALID_ARGUMENTS");
});

test.each<[string, JsonObject, string]>([
  ["fs_read_file", { file_path: "a", start_line: 2, end_line: 3 }, "two\nthree\n"],
  ["read_text_file", { path: "a", head: 1 }, "one\n"],
  ["read_text_file", { path: "a", tail: 2 }, "two\nthree\n"],
  ["fs_read_file", { path: "a", view_range: [1, 2] }, "one\ntwo\n"],
])("%s accepts %j", async (tool, args, text) => {
  const { call } = await openWorkstation({ files: { a: OLD } });
  expect(await call(tool, args)).toMatchObject({ text });
});

test("the other file tools accept the names of other servers", async () => {
  const { call } = await openWorkstation({ files: { a: OLD, "sub/b": "" } });
  expect(await call("move_file", { source: "a", destination: "c" })).toMatchObject({ from: "a", to: "c" });
  expect(await call("search_files", { path: ".", pattern: "*" })).toMatchObject({ total: 2 });
  expect(await call("grep", { query: "two", include: "c" })).toMatchObject({ matches: 1 });
  expect(await call("write_file", { file_path: "d", contents: "x" })).toMatchObject({ created: true });
  expect(await call("list_directory", { directory: "sub" })).toMatchObject({ total: 1 });
  expect(await call("fs_list_directory", { path: ".", offset: 2, limit: 1 })).toMatchObject({
    entries: [{ name: "sub" }],
  });
});

test("an exclusion that fs_find does not have is not ignored", async () => {
  const { fail } = await openWorkstation();
  expect((await fail("search_files", { pattern: "*", excludePatterns: ["x"] })).text).toContain("excludePatterns");
});
