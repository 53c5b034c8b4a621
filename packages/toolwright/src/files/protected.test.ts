import { expect, test } from "vitest";
import { protectionOf } from "./protected.js";

test.each([
  "/w/.git",
  "/w/.git/config",
  "/w/.GIT/hooks/pre-commit",
  "/w/.g\u200cit/config",
  "/w/.ｇit/config",
  "C:\\w\\git~1\\config",
])("%j is inside of git", (place) => {
  expect(protectionOf(place)).toBe("what is inside .git is not changed as files; use git");
});

test.each([
  "/w/toolwright.config.json",
  "/w/sub/toolwright.config.jsonc",
  "/w/Toolwright.CONFIG.json",
  "/w/toolwright.config.jſon",
  "/w/toolwright.con\ufefffig.json",
  "C:\\w\\toolwright.config.json",
  "C:\\w\\TOOLWR~1.JSO",
])("%j has settings of the server", (place) => {
  expect(protectionOf(place)).toBe("it has the settings of this server, which a person changes and no tool");
});

test.each([
  "/w/.gitignore",
  "/w/.github/workflows/ci.yml",
  "/w/git/x",
  "/w/toolwright.config.json.bak",
  "/w/my-toolwright.config.json",
])("%j may be changed", (place) => {
  expect(protectionOf(place)).toBeUndefined();
});
