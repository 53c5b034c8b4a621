import { expect, test } from "vitest";
import { explain } from "./explain.js";

const failure = (message: string, more: object = {}): Error => Object.assign(new Error(message), more);

test.each([
  [
    "a package that is not installed",
    failure("Cannot find package 'left-pad' imported from /home/ann/server/main.js", { code: "ERR_MODULE_NOT_FOUND" }),
    'The module "left-pad", which main.js needs, is not installed. Install it where the server is: npm install left-pad',
  ],
  [
    "a part of a package with a scope",
    failure("Cannot find package '@a/b/c' imported from /home/ann/main.js", { code: "ERR_MODULE_NOT_FOUND" }),
    'The module "@a/b/c", which main.js needs, is not installed. Install it where the server is: npm install @a/b',
  ],
  [
    "a package that is required",
    failure("Cannot find module 'left-pad'\nRequire stack:\n- /home/ann/server/main.cjs", { code: "MODULE_NOT_FOUND" }),
    'The module "left-pad", which main.cjs needs, is not installed. Install it where the server is: npm install left-pad',
  ],
  [
    "a file that is not there",
    failure("Cannot find module '/home/ann/server/tools.js' imported from /home/ann/server/main.js", {
      code: "ERR_MODULE_NOT_FOUND",
    }),
    "The file tools.js, which main.js needs, is not there. Check its name, or build the server first.",
  ],
  [
    "wrong syntax",
    Object.assign(new SyntaxError("Unexpected token '}'"), {
      stack: "file:///home/ann/server/main.js:3\n}\n^\n\nSyntaxError: Unexpected token '}'",
    }),
    "main.js, line 3: Unexpected token '}'",
  ],
  [
    "a file that is not there, as Bun says it",
    failure("Cannot find module './lib/tools.js' imported from /home/ann/server/main.js", {
      code: "ERR_MODULE_NOT_FOUND",
    }),
    "The file tools.js, which main.js needs, is not there. Check its name, or build the server first.",
  ],
  [
    "wrong syntax, as Bun says it",
    failure("Unexpected }", { position: { file: "/home/ann/server/main.js", line: 3 } }),
    "main.js, line 3: Unexpected }",
  ],
  [
    "a package that is not installed, as Deno says it",
    failure(
      'Import "left-pad" not a dependency\n  hint: try `deno add npm:left-pad`\n    at \u{1b}[36mfile:///home/ann/main.js\u{1b}[0m:\u{1b}[33m1\u{1b}[0m:8',
      { code: "ERR_MODULE_NOT_FOUND" },
    ),
    'The module "left-pad", which main.js needs, is not installed. Install it where the server is: npm install left-pad',
  ],
  [
    "a file that is not there, as Deno says it",
    failure('Module not found "file:///home/ann/tools.js".\n    at file:///home/ann/main.js:1:8', {
      code: "ERR_MODULE_NOT_FOUND",
    }),
    "The file tools.js, which main.js needs, is not there. Check its name, or build the server first.",
  ],
  [
    "wrong syntax, as Deno says it",
    failure("SyntaxError: Expression expected\n  |\n2 | = ;\n  |   ~\n    at file:///home/ann/main.js:2:15", {
      code: "ERR_MODULE_NOT_FOUND",
    }),
    "main.js, line 2: Expression expected",
  ],
  [
    "a name that a module does not give, as Deno says it",
    Object.assign(new SyntaxError("'a.js' does not provide an export named 'b' at file:///home/ann/main.js:4:10"), {
      stack:
        "SyntaxError: 'a.js' does not provide an export named 'b' at file:///home/ann/main.js:4:10\n    at async x",
    }),
    "main.js, line 4: 'a.js' does not provide an export named 'b'",
  ],
  ["JSON that is none", new SyntaxError("Unexpected end of JSON input"), "Unexpected end of JSON input"],
  [
    "JSON with a secret in it",
    new SyntaxError(`Unexpected token 'k', "key=hunter2" is not valid JSON`),
    "Unexpected token 'k' in JSON",
  ],
  [
    "a port that is taken",
    failure("listen EADDRINUSE: address already in use 127.0.0.1:3000", {
      code: "EADDRINUSE",
      syscall: "listen",
      port: 3000,
    }),
    "Port 3000 is taken by another program. Stop that program, or choose another port.",
  ],
  [
    "the words of a pack",
    failure('Cannot open pack "store": settings.file: required, but missing (string)'),
    'Cannot open pack "store": settings.file: required, but missing (string)',
  ],
  [
    "an absolute path",
    failure("ENOENT: no such file or directory, open '/home/ann/.secrets/key.pem'"),
    "ENOENT: no such file or directory, open 'key.pem'",
  ],
  ["a path of Windows", failure(String.raw`cannot read C:\Users\ann\key.pem`), "cannot read key.pem"],
  [
    "a URL, which is no path",
    failure("https://example.com/a/b did not answer"),
    "https://example.com/a/b did not answer",
  ],
  ["several lines", failure("first\n  second"), "first second"],
  ["an error without words", failure(""), "it gave no reason"],
  ["a text", "API_KEY is missing", "API_KEY is missing"],
  ["what cannot be shown", Object.create(null), "it gave no reason"],
])("%s is told in plain words", (_what, error, words) => {
  expect(explain(error)).toBe(words);
});

test("what is very long is cut", () => {
  expect(explain(failure("x".repeat(2000)))).toBe(`${"x".repeat(500)}…`);
});
