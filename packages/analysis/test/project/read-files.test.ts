import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Fact } from "../../src/facts/facts.js";
import type { Project } from "../../src/project/project.js";
import { openProject } from "./open-project.js";

const functionsOf = ({ files }: Project<Fact>) =>
  files.map(({ path: name, facts }) => [name, facts.measures.functions.map((each) => [each.name, each.line])]);

test("byte order marks, line ends of Windows and other encodings change nothing", async () => {
  const text = "// é\r\nexport function näme() {\r\n  return 1;\r\n}\r\n";
  const project = await openProject({
    files: {
      "bom.ts": `\uFEFF${text}`,
      "crlf.ts": text,
      "latin.ts": Buffer.from(text, "latin1"),
      "wide.ts": Buffer.from(`\uFEFF${text}`, "utf16le"),
    },
  });
  const read = await project.read();
  expect(functionsOf(read)).toEqual([
    ["bom.ts", [["näme", 2]]],
    ["crlf.ts", [["näme", 2]]],
    ["latin.ts", [["näme", 2]]],
    ["wide.ts", [["näme", 2]]],
  ]);
  expect(read.skipped).toEqual([]);
});

test("what cannot be read is listed with the reason", async () => {
  const project = await openProject({
    files: { "binary.ts": Uint8Array.of(1, 2, 0, 3, 0, 0, 9), "large.ts": "x".repeat(2049), "fine.ts": "" },
    settings: { maxFileBytes: 2048 },
  });
  // A name that is no UTF-8 cannot be given back to the system: to us the file has vanished.
  writeFileSync(Buffer.concat([Buffer.from(`${project.root}/gone`), Buffer.of(0xff), Buffer.from(".ts")]), "");
  const read = await project.read();
  expect(functionsOf(read)).toEqual([["fine.ts", []]]);
  expect(read.skipped).toEqual([
    { path: "binary.ts", reason: "not a text file" },
    { path: "gone\uFFFD.ts", reason: '"gone\uFFFD.ts" does not exist.' },
    { path: "large.ts", reason: "larger than 2 KiB" },
  ]);
});

test("a line of 100 MB is not read", async () => {
  const project = await openProject({ files: { "fine.ts": "" } });
  await using file = await open(path.join(project.root, "endless.js"), "w");
  await file.truncate(100 * 1024 * 1024);
  const { skipped, files } = await project.read();
  expect(skipped).toEqual([{ path: "endless.js", reason: "larger than 1 MiB" }]);
  expect(files.length).toBe(1);
});

test("a file with a syntax error is measured, and listed with the line", async () => {
  const project = await openProject({ files: { "half.ts": "function a() { return 1; }\n\nfunction b( {\n" } });
  const { files, skipped } = await project.read();
  expect(files[0]?.facts.measures.functions[0]?.name).toBe("a");
  expect(skipped).toEqual([
    { path: "half.ts", line: 3, reason: "syntax error in line 3; the rest of the file is measured" },
  ]);
});

test("brackets in 10,000 levels are read, or the file is listed", async () => {
  const deep = `export const deep = ${"[\n".repeat(10_000)}${"]\n".repeat(10_000)};\n`;
  const project = await openProject({ files: { "deep.ts": deep, "fine.ts": "export const f = () => 1;\n" } });
  const { files, skipped } = await project.read();
  expect(files.at(-1)?.path).toBe("fine.ts");
  expect(files.length + skipped.length).toBe(2);
});

test("only what is wanted is kept in memory", async () => {
  const project = await openProject({ files: { "a.ts": "export const a = (x: number) => (x > 1 ? 1 : 2);\n" } });
  const trim = ({ measures }: Project<"measures">["files"][number]["facts"]) => ({
    measures: { ...measures, functions: [] },
  });
  const { files } = await project.read({ wanted: ["measures"], trim } as object);
  expect(files[0]?.facts.measures.functions).toEqual([]);
});

test("progress grows up to the number of files", async () => {
  const told: (readonly [number, number | undefined])[] = [];
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}.ts`, "export const a = 1;\n"]));
  const project = await openProject({ files, onProgress: ({ done, total }) => void told.push([done, total]) });
  await project.read();
  expect(told.length).toBeGreaterThan(0);
  expect(told.every(([value, total]) => total === 30 && value <= 30)).toBe(true);
});
