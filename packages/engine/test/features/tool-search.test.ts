import { expect, test } from "vitest";
import { createToolIndex, tokenize } from "../../src/server/features/tool-search.js";

const named = (name: string, description: string, toolset?: string, title?: string) => ({
  tool: { name, description, ...(title !== undefined && { title }) },
  toolsets: toolset === undefined ? [] : [toolset],
});

const rank = createToolIndex([
  named("read_file", "Reads a text file.", "files"),
  named("writeFile", "Writes text to a file, which is made where there is none.", "files"),
  named("git_log", "Shows the commits of a repository, newest first.", "git", "History"),
  named("kill_process", "Ends a process."),
]);

const found = (query: string): string[] => rank(query).map(({ tool }) => tool.name);

test("words in names rank highest, and rare words above common ones", () => {
  expect(found("read")).toEqual(["read_file"]);
  expect(found("file")[0]).toBe("read_file");
  expect(found("write a file")[0]).toBe("writeFile");
  expect(found("kill the process")[0]).toBe("kill_process");
});

test("titles, toolsets and other forms of a word match", () => {
  expect(found("history")).toEqual(["git_log"]);
  expect(found("GIT")).toEqual(["git_log"]);
  expect(found("processes")).toEqual(["kill_process"]);
  expect(found("commit")).toEqual(["git_log"]);
});

test("an empty query or unknown words match nothing", () => {
  expect(found("")).toEqual([]);
  expect(found("?!")).toEqual([]);
  expect(found("weather")).toEqual([]);
  expect(createToolIndex([])("file")).toEqual([]);
});

test("words are split at case changes, punctuation and spaces, in any script", () => {
  expect(tokenize("readFile git-log über_всё 3D")).toEqual(["read", "file", "git", "log", "über", "всё", "3d"]);
});
