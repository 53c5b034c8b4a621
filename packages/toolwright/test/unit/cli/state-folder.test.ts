import { expect, test } from "vitest";
import { defaultStateFolder } from "../../../src/cli/pack-environment.js";

test("the state folder follows the platform", () => {
  const on = (platform: string, env = {}, home = "/home/ada") => defaultStateFolder({ platform, env, home });
  expect(on("linux")).toBe("/home/ada/.local/state/toolwright");
  expect(on("linux", { XDG_STATE_HOME: "/var/state" })).toBe("/var/state/toolwright");
  expect(on("linux", { XDG_STATE_HOME: "state" })).toBe("/home/ada/.local/state/toolwright");
  expect(on("darwin", {}, "/Users/ada")).toBe("/Users/ada/Library/Application Support/toolwright");
  expect(on("win32", {}, "C:\\Users\\ada")).toBe("C:\\Users\\ada\\AppData\\Local\\toolwright");
  expect(on("win32", { LOCALAPPDATA: "D:\\state" })).toBe("D:\\state\\toolwright");
});
