import { describe, expect, test } from "vitest";
import { modelsFolder } from "../../../src/embedders/open-embedder.js";

describe("modelsFolder", () => {
  test.each([
    ["linux", {}, "/home/ann", "/home/ann/.cache/toolwright/models"],
    ["linux", { XDG_CACHE_HOME: "/var/ann" }, "/home/ann", "/var/ann/toolwright/models"],
    ["linux", { XDG_CACHE_HOME: "relative" }, "/home/ann", "/home/ann/.cache/toolwright/models"],
    ["darwin", {}, "/Users/ann", "/Users/ann/Library/Caches/toolwright/models"],
    ["win32", { LOCALAPPDATA: "D:\\Local" }, "C:\\Users\\ann", "D:\\Local\\toolwright\\models"],
    ["win32", {}, "C:\\Users\\ann", "C:\\Users\\ann\\AppData\\Local\\toolwright\\models"],
    ["linux", { TOOLWRIGHT_MODELS: "/srv/models", XDG_CACHE_HOME: "/var/ann" }, "/home/ann", "/srv/models"],
  ])("on %s with %o is the user's cache, or what is named", (platform, env, home, folder) => {
    expect(modelsFolder({ platform, env, home })).toBe(folder);
  });
});
