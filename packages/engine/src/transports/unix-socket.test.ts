import { describe, expect, test } from "vitest";
import { readPlace } from "./unix-socket.js";

describe("the place of a socket", () => {
  test("is a pipe on Windows, and taken as it is", () => {
    expect(readPlace(String.raw`\\.\pipe\mcp`, "win32")).toBe(String.raw`\\.\pipe\mcp`);
    expect(readPlace(String.raw`\\?\pipe\a\b`, "win32")).toBe(String.raw`\\?\pipe\a\b`);
    for (const place of ["mcp.sock", String.raw`C:\mcp.sock`, String.raw`\\.\pipe` + "\\"])
      expect(() => readPlace(place, "win32")).toThrow(
        String.raw`Cannot listen at ${place}: on Windows the path must begin with \\.\pipe\ and a name`,
      );
  });

  test("is a path elsewhere, and made whole", () => {
    expect(readPlace("/run/mcp.sock", "linux")).toBe("/run/mcp.sock");
    expect(readPlace("mcp.sock", "darwin")).toBe(`${process.cwd()}/mcp.sock`);
    expect(readPlace(String.raw`\\.\pipe\mcp`, "linux")).toBe(String.raw`${process.cwd()}/\\.\pipe\mcp`);
  });
});
