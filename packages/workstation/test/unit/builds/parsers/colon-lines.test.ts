import { describe, expect, it } from "vitest";
import { parseColonLines } from "../../../../src/builds/parsers/line-parsers.js";

describe("colonLines", () => {
  it.each([
    ["gcc", "main.c:3:5: error: 'x' undeclared", { file: "main.c", line: 3, column: 5, message: "'x' undeclared" }],
    [
      "gcc, at the end",
      "a.h:1:10: fatal error: b.h: No such file",
      { file: "a.h", line: 1, column: 10, message: "b.h: No such file" },
    ],
    ["javac", "src/A.java:3: error: ';' expected", { file: "src/A.java", line: 3, message: "';' expected" }],
    ["go build", "./main.go:5:2: undefined: x", { file: "./main.go", line: 5, column: 2, message: "undefined: x" }],
    ["go vet", "vet: ./main.go:5:2: undefined: x", { file: "./main.go", line: 5, column: 2, message: "undefined: x" }],
    [
      "ruff",
      "a.py:1:8: F401 [*] `os` imported but unused",
      { file: "a.py", line: 1, column: 8, message: "F401 [*] `os` imported but unused" },
    ],
    [
      "flake8",
      "./a b.py:2:80: E501 line too long",
      { file: "./a b.py", line: 2, column: 80, message: "E501 line too long" },
    ],
    [
      "mypy",
      "a.py:3: error: Incompatible types  [assignment]",
      { file: "a.py", line: 3, message: "Incompatible types  [assignment]" },
    ],
    ["a drive", "C:\\src\\a.c:3:5: error: wrong", { file: "C:\\src\\a.c", line: 3, column: 5, message: "wrong" }],
    [
      "no kind",
      "lib/x.rb:9: syntax error, unexpected end",
      { file: "lib/x.rb", line: 9, message: "syntax error, unexpected end" },
    ],
  ])("reads a line of %s", (_tool, line, expected) => {
    expect(parseColonLines(line).failures).toEqual([{ ...expected, severity: "error" }]);
  });

  it("distinguishes warnings from errors, and omits notes", () => {
    const text = "a.c:1:2: warning: unused [-Wunused]\na.c:1:2: note: declared here\na.py:3: note: see docs\n";
    expect(parseColonLines(text).failures).toEqual([
      { file: "a.c", line: 1, column: 2, message: "unused [-Wunused]", severity: "warning" },
    ]);
  });

  it.each([
    "2026-01-02T10:11:12: started",
    "12:30:45: tick",
    "http://localhost:3000: listening",
    "localhost:3000: up",
    "    at f (/p/a.js:3:4): no",
    "main.c: In function 'main':",
    "/usr/bin/ld: main.c:(.text+0x5): undefined reference to `x'",
    "word:12: not a file",
    "",
  ])("finds no place in %j", (line) => {
    expect(parseColonLines(line).failures).toEqual([]);
  });

  it("looks at a line of many megabytes for no longer than at a short one", () => {
    expect(parseColonLines(`a.c:1:1: error: ${"x".repeat(5_000_000)}`).failures[0]?.message).toHaveLength(2001);
    expect(parseColonLines(`${"a:".repeat(2_500_000)}1: x`).failures).toEqual([]);
  });
});
