import { describe, expect, test } from "vitest";
import { resolveSocketPath } from "../../src/transports/unix-socket.js";

describe("resolveSocketPath", () => {
  test("accepts a named pipe on Windows as it is", () => {
    expect(resolveSocketPath(String.raw`\\.\pipe\mcp`, "win32")).toBe(String.raw`\\.\pipe\mcp`);
    expect(resolveSocketPath(String.raw`\\?\pipe\a\b`, "win32")).toBe(String.raw`\\?\pipe\a\b`);
    for (const address of ["mcp.sock", String.raw`C:\mcp.sock`, String.raw`\\.\pipe` + "\\"])
      expect(() => resolveSocketPath(address, "win32")).toThrow(
        String.raw`Cannot listen at ${address}: on Windows the path must be \\.\pipe\ followed by a name`,
      );
  });

  test("makes a path absolute elsewhere", () => {
    expect(resolveSocketPath("/run/mcp.sock", "linux")).toBe("/run/mcp.sock");
    expect(resolveSocketPath("mcp.sock", "darwin")).toBe(`${process.cwd()}/mcp.sock`);
    expect(resolveSocketPath(String.raw`\\.\pipe\mcp`, "linux")).toBe(String.raw`${process.cwd()}/\\.\pipe\mcp`);
  });
});
