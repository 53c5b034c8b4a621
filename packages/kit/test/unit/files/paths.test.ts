import { describe, expect, test } from "vitest";
import { findPathError, isWithin } from "../../../src/files/paths.js";

describe("isWithin", () => {
  const posix: readonly (readonly [string, string, boolean])[] = [
    ["/a", "/a", true],
    ["/a", "/a/b", true],
    ["/a", "/ab", false],
    ["/a", "/", false],
    ["/a", "/b", false],
    ["/a", "/a/..b", true],
    ["/a", "/a/...", true],
    ["/", "/", true],
    ["/", "/etc/passwd", true],
    ["/a", "/A", false],
    ["/private/tmp/x", "/tmp/x/y", false],
  ];
  test.each(posix)("%s > %s: %s", (folder, place, expected) => {
    expect(isWithin(folder, place, "linux")).toBe(expected);
  });

  const windows: readonly (readonly [string, string, boolean])[] = [
    ["C:\\work", "C:\\work\\a", true],
    ["C:\\work", "c:\\WORK\\a", true],
    ["C:\\work", "C:\\works", false],
    ["C:\\work", "D:\\work\\a", false],
    ["C:\\", "C:\\Windows", true],
    ["C:\\work", "\\\\server\\share\\work", false],
    ["\\\\server\\share\\work", "\\\\server\\share\\work\\a", true],
    ["\\\\server\\share\\work", "\\\\SERVER\\Share\\Work\\a", true],
    ["\\\\server\\share\\work", "\\\\server\\other\\work\\a", false],
    ["\\\\server\\share\\work", "\\\\server2\\share\\work\\a", false],
    ["C:\\work", "C:\\work\\..a", true],
  ];
  test.each(windows)("on Windows %s > %s: %s", (folder, place, expected) => {
    expect(isWithin(folder, place, "win32")).toBe(expected);
  });
});

describe("the words of a path", () => {
  test.each(["", " ", "\t\n", "a\0b", "~", "~/x", "~\\x", `/${"a".repeat(4096)}`])("refuse %j", (given) => {
    expect(findPathError(given, "linux")).toMatch(/^(?:a path must not|~ is not expanded)/);
  });

  test.each(["a", ".", "..", "a b", "a:b", "con", "~a", "a~", "a.", "a\nb", "é", "-rf", "C:x"])(
    "accept %j",
    (given) => {
      expect(findPathError(given, "linux")).toBeUndefined();
    },
  );

  const windows: readonly (readonly [string, string])[] = [
    ["\\\\.\\PhysicalDrive0", "paths of devices (\\\\.\\ and \\\\?\\) are not accepted"],
    ["\\\\?\\C:\\work", "paths of devices (\\\\.\\ and \\\\?\\) are not accepted"],
    ["//?/C:/work", "paths of devices (\\\\.\\ and \\\\?\\) are not accepted"],
    ["\\\\.\\pipe\\x", "paths of devices (\\\\.\\ and \\\\?\\) are not accepted"],
    ["C:x", "a path with a drive must be absolute, such as C:\\work"],
    ["C:..\\x", "a path with a drive must be absolute, such as C:\\work"],
    ["a.txt:stream", "a path must not name a stream of a file (with a colon)"],
    ["a.txt::$DATA", "a path must not name a stream of a file (with a colon)"],
    ["C:\\work\\a:$DATA", "a path must not name a stream of a file (with a colon)"],
    [".env.", "a name must not end with a dot or a space, which Windows drops"],
    [".env ", "a name must not end with a dot or a space, which Windows drops"],
    [".git.\\config", "a name must not end with a dot or a space, which Windows drops"],
    ["nul", "nul is a device"],
    ["a\\CON.txt", "CON.txt is a device"],
    ["com1 .x", "com1 .x is a device"],
    ["LPT¹", "LPT¹ is a device"],
  ];
  test.each(windows)("on Windows refuse %j: %s", (given, fault) => {
    expect(findPathError(given, "win32")).toBe(fault);
  });

  test.each(["C:\\work\\a", "C:/work", "a\\b", "..\\a", ".\\a", "console", "com", "nulls.txt"])(
    "on Windows accept %j",
    (given) => expect(findPathError(given, "win32")).toBeUndefined(),
  );
});
