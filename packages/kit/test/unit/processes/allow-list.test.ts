import { describe, expect, it } from "vitest";
import { isAllowed } from "../../../src/processes/open-command.js";

describe("allows", () => {
  it.each<[string[], string[], boolean]>([
    [["git", "log"], ["git", "log"], true],
    [["git", "log"], ["git", "log", "-p"], false],
    [["git", "log"], ["git"], false],
    [["git", "**"], ["git"], true],
    [["git", "**"], ["git", "push", "--force"], true],
    [["git", "log", "**"], ["git"], false],
    [["git", "log", "**"], ["git", "push"], false],
    [["npm", "run", "build*"], ["npm", "run", "build:all"], true],
    [["npm", "run", "build*"], ["npm", "run", "rebuild"], false],
    [["npm", "run", "*"], ["npm", "run", ""], true],
    [["npm", "run", "*"], ["npm", "run"], false],
    [["x", "--a=*"], ["x", "--a=b/c d\n"], true],
    [["x", "a*b*c"], ["x", "a1b2b3c"], true],
    [["x", "a*b*c"], ["x", "ac"], false],
    [["x", "ab*ba"], ["x", "aba"], false],
    [["x", "a.c"], ["x", "abc"], false],
    [["x", "**", "y"], ["x", "anything", "y"], true],
    [["x", "**", "y"], ["x", "a", "b", "y"], false],
    [["*"], ["anything"], true],
    [["*"], ["./anything"], false],
    [["*"], ["/bin/sh"], false],
    [["sh"], ["/bin/sh"], false],
    [["/bin/sh"], ["/bin/sh"], true],
    [["/bin/*"], ["/bin/sh"], false],
    [["./run", "*"], ["./run", "a"], true],
    [["./run", "*"], ["run", "a"], false],
    [["**"], ["a", "b"], false],
    [["git", "**"], [], false],
    [["git", "log", "*"], ["git", "log", "--output=/tmp/a"], false],
    [["git", "log", "*"], ["git", "log", "-p"], false],
    [["git", "log", "*"], ["git", "log", "-"], false],
    [["git", "log", "-*"], ["git", "log", "-p"], true],
    [["git", "log", "--*"], ["git", "log", "-p"], false],
    [["git", "log", "--format=*"], ["git", "log", "--format=%H"], true],
    [["git", "log", "*", "**"], ["git", "log", "--output=a"], false],
    [["x", "*.txt"], ["x", "--file=a.txt"], false],
    [["x", "a*"], ["x", "a-b"], true],
    [["make", "*"], ["make", "test"], true],
    [["make", "*"], ["make", "--eval=$(shell id)"], false],
    [["make", "*"], ["make", "A:=$(shell id)"], false],
    [["make", "*"], ["make", "A = 1"], false],
    [["make", "*"], ["make", "$(shell id)=1"], false],
    [["make", "MODE=*"], ["make", "MODE=fast"], true],
    [["git", "commit", "-m", "*"], ["git", "commit", "-m", "set a = b"], true],
    [[`./run#sha256=${"a".repeat(64)}`, "*"], ["./run", "a"], true],
    [[`./run#sha256=${"a".repeat(64)}`, "*"], [`./run#sha256=${"a".repeat(64)}`, "a"], false],
  ])("%j of %j: %s", (entry, argv, expected) => {
    expect(isAllowed(entry, argv)).toBe(expected);
  });

  it("takes no time for a pattern of many stars", () => {
    expect(isAllowed(["x", "a*".repeat(50)], ["x", "a".repeat(30_000)])).toBe(true);
    expect(isAllowed(["x", `${"a*".repeat(50)}b`], ["x", "a".repeat(30_000)])).toBe(false);
  });
});
