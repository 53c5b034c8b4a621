import type { Language } from "@toolwright/kit/syntax";
import { expect, test } from "vitest";
import { readFacts } from "../../../src/facts/read-facts.js";

const notesOf = async (language: Language, text: string) => (await readFacts(language, text, ["notes"])).notes;

test.each<[Language, string]>([
  ["typescript", 'const a = "TODO: no";\n// TODO: yes'],
  ["tsx", 'const a = <p title="TODO: no">\n{/* TODO: yes */}</p>;'],
  ["javascript", "const a = `TODO: no`;\nf(); // TODO: yes"],
  ["python", 'a = "TODO: no"\n# TODO: yes'],
  ["rust", 'const A: &str = "TODO: no";\n/// TODO: yes\nfn a() {}'],
  ["go", 'package a; const b = "TODO: no"\n// TODO: yes'],
  ["java", 'class A { String a = "TODO: no";\n/* TODO: yes */ }'],
  ["c", 'char *a = "TODO: no";\n/* TODO: yes */'],
  ["cpp", 'auto a = "TODO: no";\n//! TODO: yes'],
  ["csharp", 'class A { string a = "TODO: no";\n/// TODO: yes\n}'],
  ["kotlin", 'val a = "TODO: no"\n/** TODO: yes */'],
  ["ruby", 'a = "TODO: no" \n# TODO: yes'],
  ["php", '<?php $a = "TODO: no";\n# TODO: yes'],
  ["swift", 'let a = "TODO: no"\n/* TODO: yes */'],
])("comments of %s are told from its strings", async (language, text) => {
  expect(await notesOf(language, text)).toEqual([{ word: "TODO", text: "yes", line: 2 }]);
});

test.each([
  ["// TODO(bob): mend it", { word: "TODO", text: "mend it", owner: "bob" }],
  ["// TODO(#123) mend it", { word: "TODO", text: "mend it", owner: "#123" }],
  ["// TODO", { word: "TODO", text: "" }],
  ["// TODO - mend it", { word: "TODO", text: "mend it" }],
  ["// todo: mend it", { word: "TODO", text: "mend it" }],
  ["// Fixme(ann): mend it", { word: "FIXME", text: "mend it", owner: "ann" }],
  ["// this is broken, FIXME soon", { word: "FIXME", text: "soon" }],
  ["/** @todo mend it */", { word: "TODO", text: "mend it" }],
  ["// BUG 17 comes from here", { word: "BUG", text: "17 comes from here" }],
  ["// see above. SECURITY: not checked", { word: "SECURITY", text: "not checked" }],
  ["// OPTIMIZE: too many copies", { word: "OPTIMIZE", text: "too many copies" }],
  ["// one list is enough for now", { word: "FOR NOW", text: "one list is enough for now" }],
  ["// it doesn't work yet", { word: "DOESN'T WORK YET", text: "it doesn't work yet" }],
  ["// TODO, remove after release", { word: "TODO", text: "remove after release" }],
  ["// TODO/FIXME: clean up", { word: "TODO", text: "clean up" }],
  ["// TODO, FIXME: both", { word: "TODO", text: "both" }],
  ["// (TODO) mend it", { word: "TODO", text: "mend it" }],
  ["// TODO[ann]: mend it", { word: "TODO", text: "mend it", owner: "ann" }],
  ["// TODO: use List<String>", { word: "TODO", text: "use List<String>" }],
  ["// HACK: good enough for now", { word: "HACK", text: "good enough for now" }],
])("%j is a note", async (text, note) => {
  expect(await notesOf("typescript", text)).toEqual([{ line: 1, ...note }]);
});

test.each([
  "// the todos of a method",
  "// all TODOs are listed",
  "// a todo list",
  "// finds `TODO` and 'FIXME'",
  "// TODO, FIXME and the like",
  "// TODO/FIXME",
  "// lists TODO comments",
  "// TODO-list",
  "// see docs/TODO.md",
  "// See TODO.md for the plan",
  "// const TODO = 1",
  "// BUG 123 is fixed",
  "// MY_TODO is a constant",
  "// 555-XXX-1234",
  "// a SECURITY matter",
  "// Security: tokens are checked",
  "// debug: temp files",
])("%j is no note", async (text) => {
  expect(await notesOf("typescript", text)).toEqual([]);
});

test("a block comment has notes with lines of their own, and a line may have several", async () => {
  const text = "/*\n * TODO: one\r\n * more of it\n * FIXME: two HACK three\n */";
  expect(await notesOf("java", text)).toEqual([
    { word: "TODO", text: "one", line: 2 },
    { word: "FIXME", text: "two", line: 4 },
    { word: "HACK", text: "three", line: 4 },
  ]);
});

test.each<[Language, string]>([
  ["rust", "/* outer\n/* TODO: yes */ */\nfn a() {}"],
  ["kotlin", "/* outer\n/* TODO: yes */ and more */\nval a = 1"],
  ["csharp", "class A {\n/// <summary>TODO: yes</summary>\n}"],
  ["python", 'def a():\n    """TODO: yes"""\n'],
  ["python", 'class A:\n    r"""TODO: yes\n    """\n'],
])("what closes a comment of %s is no part of the note: %j", async (language, text) => {
  expect(await notesOf(language, text)).toEqual([{ word: "TODO", text: "yes", line: 2 }]);
});

test("a text in three quotes that is used is no documentation", async () => {
  expect(await notesOf("python", 'a = """\nTODO: no\n"""\nf("""TODO: no""")\n')).toEqual([]);
});

test("a long note is cut", async () => {
  const [note] = (await notesOf("typescript", `// TODO: ${"a".repeat(300)}`)) ?? [];
  expect(note?.text).toBe(`${"a".repeat(199)}…`);
});

test("ten thousand brackets do not matter", async () => {
  expect(await notesOf("javascript", `${"[".repeat(10_000)}// TODO: close them`)).toEqual([
    { word: "TODO", text: "close them", line: 1 },
  ]);
});

test.each([" ", "*", "TODO, "])("a comment of a million times %j is read to its end", async (piece) => {
  const text = `/* TODO: one ${piece.repeat(1_000_000 / piece.length)} x\n FIXME: two */`;
  expect((await notesOf("typescript", text))?.at(-1)).toEqual({ word: "FIXME", text: "two", line: 2 });
});
