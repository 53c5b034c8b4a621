import { expect, test } from "vitest";
import { holdsSettings, protectionOf } from "../../../src/files/access-policy.js";

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

test("settings that were read from a file of any name are protected, and so are the folders around it", () => {
  const settings = ["/w/conf/tw.json"];
  for (const place of ["/w/conf/tw.json", "/w/Conf/TW.json", "/w/conf/tw.\u200cjson", "/w/conf/tw.json/x"])
    expect([place, protectionOf(place, settings)]).toEqual([place, expect.stringContaining("settings of this server")]);
  for (const place of ["/w/conf", "/w/conf/tw.jso", "/w/conf/x", "/other/conf/tw.json"])
    expect([place, protectionOf(place, settings)]).toEqual([place, undefined]);
  const held = ["/w/conf/tw.json", "/w/conf", "/W/CONF", "/w", "/x/toolwright.config.json"];
  expect(held.filter((place) => holdsSettings(place, settings))).toEqual(held);
  const others = ["/w/con", "/w/conf/x", "/x", "/w/.git"];
  expect(others.filter((place) => holdsSettings(place, settings))).toEqual([]);
});
