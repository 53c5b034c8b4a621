import { expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { hasGit, makeRepository } from "../../../workstation/test/git/repository.js";
import { openBench } from "../kit.js";

const FILES = {
  "src/list.ts": "// TODO(bob): add paging\nconst a = 1;\n/*\n * FIXME: the sum is off\n */\n",
  "src/auth/login.py": "# HACK: around the parser\n",
  "tests/list.test.ts": "// FIXME: flaky\n",
};

test("notes are listed by kind and severity, the worst first", async () => {
  const { call } = await openBench({ files: FILES });
  const { notes, oldest, remarks, ...counts } = await call("analyze_satd");
  expect(counts).toEqual({
    total: 4,
    files: 3,
    by_kind: { design: 1, defect: 1, requirement: 1, test: 1 },
    by_severity: { high: 2, medium: 1, low: 1 },
  });
  expect(notes).toEqual([
    {
      path: "src/auth/login.py",
      line: 1,
      word: "HACK",
      text: "around the parser",
      kind: "design",
      severity: "high",
    },
    { path: "src/list.ts", line: 4, word: "FIXME", text: "the sum is off", kind: "defect", severity: "high" },
    {
      path: "tests/list.test.ts",
      line: 1,
      word: "FIXME",
      text: "flaky",
      kind: "test",
      severity: "medium",
      is_test: true,
    },
    {
      path: "src/list.ts",
      line: 1,
      word: "TODO",
      text: "add paging",
      kind: "requirement",
      severity: "low",
      owner: "bob",
    },
  ]);
  expect(oldest).toBeUndefined();
  expect(remarks).toEqual([expect.stringContaining("Ages and authors are missing. Cannot use the repository of")]);
});

test("kinds, severity and globs narrow what is listed", async () => {
  const { call } = await openBench({ files: FILES });
  const wordsOf = async (args: Parameters<typeof call>[1]) =>
    ((await call("analyze_satd", args))["notes"] as { path: string; word: string }[]).map(
      ({ path, word }) => `${path} ${word}`,
    );
  expect(await wordsOf({ kinds: ["design"] })).toEqual(["src/auth/login.py HACK"]);
  expect(await wordsOf({ severity: "high" })).toEqual(["src/auth/login.py HACK", "src/list.ts FIXME"]);
  expect(await wordsOf({ include: ["tests/**"] })).toEqual(["tests/list.test.ts FIXME"]);
  expect(await wordsOf({ exclude: ["src/**", "tests/**"] })).toEqual([]);
  expect(await wordsOf({ project_path: "src/auth" })).toEqual(["login.py HACK"]);
});

test("a page says where the next one begins", async () => {
  const { call } = await openBench({ files: FILES });
  const first = await call("analyze_satd", { limit: 3 });
  expect(first["next_cursor"]).toBe("3");
  const second = await call("analyze_satd", { limit: 3, offset: 3 });
  expect([first["total"], second["total"]]).toEqual([4, 4]);
  expect(second["notes"]).toMatchObject([{ path: "src/list.ts", line: 1 }]);
  expect(second["next_cursor"]).toBeUndefined();
});

test("more notes than a result has room for are given in pages", async () => {
  const line = `// TODO: ${"x".repeat(190)}\n`;
  const { call } = await openBench({ files: { "a.ts": line.repeat(300) } });
  const { notes, next_cursor, total } = await call("analyze_satd", { limit: 200 });
  const { length } = notes as unknown[];
  expect(total).toBe(300);
  expect(length).toBeGreaterThan(20);
  expect(length).toBeLessThan(200);
  expect(next_cursor).toBe(String(length));
});

test.each([
  [
    "summary",
    "4 to-do comments in 3 of 3 files.\nBy severity: 2 high, 1 medium, 1 low. By kind: 1 design, 1 defect, 1 requirement, 1 test.\nhigh design src/auth/login.py:1 HACK: around the parser\n",
  ],
  ["markdown", "| low | requirement | src/list.ts:1 | TODO(bob): add paging |  |  |\n"],
  ["json", '"by_severity":{"high":2,"medium":1,"low":1}'],
])("the format %s is the text of the result", async (format, text) => {
  const { client } = await openBench({ files: FILES });
  expect(textOf(await client.callTool("analyze_satd", { format }))).toContain(text);
});

test("a project without notes says so", async () => {
  const { client } = await openBench({ files: { "a.ts": "const todo = 1;\n" } });
  expect(textOf(await client.callTool("analyze_satd", {}))).toBe("No to-do comments in 1 file.");
});

test.skipIf(!hasGit)("git says who wrote a note and when; what is not committed has no age", async () => {
  const repository = await makeRepository();
  await repository.commit("first", { "a.ts": "// TODO: one\n", "b.ts": "const b = 1;\n" });
  await repository.commit("second", { "b.ts": "const b = 1;\n// TODO: two\n" });
  await repository.put({ "b.ts": "const b = 1;\n// TODO: two\n// TODO: three\n", "c.ts": "// TODO: four\n" });
  const { call } = await openBench({ root: repository.root });
  const { notes, oldest, remarks } = await call("analyze_satd");
  expect(notes).toMatchObject([
    { path: "a.ts", line: 1, author: "Ada", date: "2024-01-01" },
    { path: "b.ts", line: 2, author: "Ada", date: "2024-01-02" },
    { path: "b.ts", line: 3 },
    { path: "c.ts", line: 1 },
  ]);
  expect((notes as object[]).map((note) => "age_days" in note)).toEqual([true, true, false, false]);
  expect(oldest).toMatchObject({ path: "a.ts" });
  expect(remarks).toEqual([]);
});

test.skipIf(!hasGit)("notes far apart in a long file each have their age", async () => {
  const repository = await makeRepository();
  const filler = "const a = 1;\n".repeat(100);
  await repository.commit("first", { "a.ts": `// TODO: one\n${filler}` });
  await repository.commit("second", { "a.ts": `// TODO: one\n${filler}// TODO: two\n// TODO: three\n` });
  const { call } = await openBench({ root: repository.root });
  const { notes } = await call("analyze_satd");
  expect(notes).toMatchObject([
    { line: 1, date: "2024-01-01" },
    { line: 102, date: "2024-01-02" },
    { line: 103, date: "2024-01-02" },
  ]);
});

test.skipIf(!hasGit)("a shallow clone is said to be one", async () => {
  const origin = await makeRepository();
  await origin.commit("first", { "a.ts": "// TODO: one\n" });
  await origin.commit("second", { "b.ts": "const b = 1;\n" });
  const { root, put } = await openBench();
  await put("keep.md", "");
  origin.git("clone", "--quiet", "--depth=1", `file://${origin.root}`, `${root}/clone`);
  const { call } = await openBench({ root: `${root}/clone` });
  const { notes, remarks } = await call("analyze_satd");
  expect(notes).toMatchObject([{ path: "a.ts", date: "2024-01-02" }]);
  expect(remarks).toEqual(["The clone is shallow: notes older than its first commit look as young as that commit."]);
});

test("wrong arguments are refused with what is allowed", async () => {
  const { fail } = await openBench({ files: FILES });
  expect((await fail("analyze_satd", { format: "xml" })).text).toMatch(/summary.*json.*markdown/s);
  expect((await fail("analyze_satd", { project_path: "nowhere" })).code).toBe("NOT_FOUND");
});

test("names and words of files cannot add lines to the text", async () => {
  const { client } = await openBench({ files: { "a\nb.ts": "// TODO: one\u001b[2J | two\n" } });
  const summary = textOf(await client.callTool("analyze_satd", {}));
  expect(summary).toContain("low requirement a\\u000ab.ts:1 TODO: one\\u001b[2J | two\n");
  const table = textOf(await client.callTool("analyze_satd", { format: "markdown" }));
  expect(table).toContain("| low | requirement | a\u{FFFD}b.ts:1 | TODO: one\u{FFFD}\\[2J \\| two |  |  |\n");
});
