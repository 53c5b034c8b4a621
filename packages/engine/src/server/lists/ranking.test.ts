import { expect, test } from "vitest";
import { createRanking, wordsOf } from "./ranking.js";

const named = (name: string, description: string, toolset?: string, title?: string) => ({
  tool: { name, description, ...(title !== undefined && { title }) },
  toolsets: toolset === undefined ? [] : [toolset],
});

const rank = createRanking([
  named("read_file", "Reads a text file.", "files"),
  named("writeFile", "Writes text to a file, which is made where there is none.", "files"),
  named("git_log", "Shows the commits of a repository, newest first.", "git", "History"),
  named("kill_process", "Ends a process."),
]);

const found = (query: string): string[] => rank(query).map(({ tool }) => tool.name);

test("words of a name count most, and rare words more than common ones", () => {
  expect(found("read")).toEqual(["read_file"]);
  expect(found("file")[0]).toBe("read_file");
  expect(found("write a file")[0]).toBe("writeFile");
  expect(found("kill the process")[0]).toBe("kill_process");
});

test("titles, toolsets and other forms of a word find a tool", () => {
  expect(found("history")).toEqual(["git_log"]);
  expect(found("GIT")).toEqual(["git_log"]);
  expect(found("processes")).toEqual(["kill_process"]);
  expect(found("commit")).toEqual(["git_log"]);
});

test("nothing is found by no words, or by words that no tool has", () => {
  expect(found("")).toEqual([]);
  expect(found("?!")).toEqual([]);
  expect(found("weather")).toEqual([]);
  expect(createRanking([])("file")).toEqual([]);
});

test("words are told apart by case, signs and spaces, in any script", () => {
  expect(wordsOf("readFile git-log über_всё 3D")).toEqual(["read", "file", "git", "log", "über", "всё", "3d"]);
});
