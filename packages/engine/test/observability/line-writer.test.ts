import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  LineWriter,
  type LineWriterOptions,
  type LossReport,
  openPrivateFile,
} from "../../src/observability/line-writer.js";

function createWriter(options: Partial<LineWriterOptions> = {}, content = "") {
  const folder = mkdtempSync(path.join(tmpdir(), "toolwright-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "lines");
  if (content !== "") writeFileSync(file, content);
  const reports: LossReport[] = [];
  const writer = new LineWriter({
    file,
    maxBytes: 2 ** 30,
    oldFiles: 1,
    open: openPrivateFile,
    formatLossLine: (lines) => `lost ${lines}`,
    onLoss: (report) => void reports.push(report),
    ...options,
  });
  onTestFinished(() => writer.close());
  const errors: (string | undefined)[] = [];
  return {
    writer,
    file,
    errors,
    append: (line: string, length = line.length) =>
      writer.append({ length, format: () => line, onWritten: (error) => void errors.push(error?.message) }),
    read: (name = file) => readFileSync(name, "utf8").split("\n"),
    states: () => reports.map(({ state, lost }) => [state, lost]),
  };
}

test("lines that exceed the pending limit are lost and reported in the file", async () => {
  const { writer, append, errors, read, states } = createWriter();
  for (const line of ["one", "two", "three", "four"]) append(line, 8 * 1024 * 1024);
  expect(errors).toEqual(["the disk is too slow", "the disk is too slow"]);
  await writer.close();
  expect(errors.slice(2)).toEqual([undefined, undefined]);
  expect(read()).toEqual(["lost 2", "one", "two", ""]);
  expect(states()).toEqual([
    ["failing", 1],
    ["recovered", 2],
  ]);
});

test("a closed writer writes nothing", async () => {
  const { writer, append, errors, read, states } = createWriter();
  append("one");
  await writer.close();
  append("two");
  expect(errors).toEqual([undefined, "the file is closed"]);
  expect(read()).toEqual(["one", ""]);
  expect(states()).toEqual([["failing", 1]]);
});

test("each file starts with the header", async () => {
  const { writer, file, append, read } = createWriter({ maxBytes: 12, header: "head" });
  expect(await writer.open()).toBeUndefined();
  expect(read()).toEqual(["head", ""]);
  for (const line of ["one", "two", "three is too long for a file", "four"]) append(line);
  await writer.close();
  expect(read(`${file}.1`)).toEqual(["head", "three is too long for a file", ""]);
  expect(read()).toEqual(["head", "four", ""]);
});

test("without old files a full file is deleted", async () => {
  const { writer, append, read } = createWriter({ maxBytes: 8, oldFiles: 0 });
  for (const line of ["one", "two", "three"]) append(line);
  await writer.close();
  expect(read()).toEqual(["three", ""]);
});

test("an incomplete last line is terminated first", async () => {
  const { writer, append, read } = createWriter({ header: "head" }, "whole\nincompl");
  append("next");
  await writer.close();
  expect(read()).toEqual(["whole", "incompl", "head", "next", ""]);
});

test("a file that cannot be opened is an error, and loses lines", async () => {
  const { writer, append, errors } = createWriter({ open: () => Promise.reject(new Error("denied")) });
  expect(await writer.open()).toEqual(new Error("denied"));
  append("one");
  await writer.close();
  expect(errors).toEqual(["denied"]);
});

test("lines of a full file that cannot be renamed are still written together", async () => {
  let openings = 0;
  const rotationErrors: unknown[] = [];
  const { writer, file, append, read } = createWriter({
    maxBytes: 8,
    open: (name) => {
      openings += 1;
      return openPrivateFile(name);
    },
    onRotationError: (error) => void rotationErrors.push(error),
  });
  mkdirSync(`${file}.1`);
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
  for (const line of lines) append(line);
  await writer.close();
  expect(read()).toEqual([...lines, ""]);
  expect(rotationErrors).toHaveLength(1);
  // For the first line, and for the others after the attempt to rename the file.
  expect(openings).toBe(2);
});
