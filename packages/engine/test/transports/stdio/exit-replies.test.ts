import { expect, test } from "vitest";
import { explainStartupError } from "../../../src/transports/stdio/exit-replies.js";

const failure = (message: string, more: object = {}): Error => Object.assign(new Error(message), more);

const INSTALL = "Install it in the server's folder with npm install, or build the server first.";

test.each([
  [
    "a package that is not installed",
    failure("Cannot find package 'left-pad' imported from /home/ann/server/main.js", { code: "ERR_MODULE_NOT_FOUND" }),
    `Cannot find package 'left-pad' imported from main.js. ${INSTALL}`,
  ],
  [
    "a required package",
    failure("Cannot find module 'left-pad'\nRequire stack:\n- /home/ann/server/main.cjs", { code: "MODULE_NOT_FOUND" }),
    `Cannot find module 'left-pad' Require stack: - main.cjs. ${INSTALL}`,
  ],
  [
    "a missing file",
    failure("Cannot find module '/home/ann/server/tools.js' imported from /home/ann/server/main.js", {
      code: "ERR_MODULE_NOT_FOUND",
    }),
    `Cannot find module 'tools.js' imported from main.js. ${INSTALL}`,
  ],
  [
    "JSON with a secret in it",
    new SyntaxError(`Unexpected token 'k', "key=hunter2" is not valid JSON`),
    "Unexpected token 'k' in JSON",
  ],
  [
    "a port that is in use",
    failure("listen EADDRINUSE: address already in use 127.0.0.1:3000", { code: "EADDRINUSE" }),
    "listen EADDRINUSE: address already in use 127.0.0.1:3000. Stop the program that uses the port, or choose another one.",
  ],
  [
    "the error of a pack",
    failure('Cannot open pack "store": settings.file: required, but missing (string)'),
    'Cannot open pack "store": settings.file: required, but missing (string)',
  ],
  [
    "an absolute path",
    failure("ENOENT: no such file or directory, open '/home/ann/.secrets/key.pem'"),
    "ENOENT: no such file or directory, open 'key.pem'",
  ],
  ["a Windows path", failure(String.raw`cannot read C:\Users\ann\key.pem`), "cannot read key.pem"],
  [
    "a URL, which is not a path",
    failure("https://example.com/a/b did not answer"),
    "https://example.com/a/b did not answer",
  ],
  ["several lines", failure("first\n  second"), "first second"],
  ["an error without a message", failure(""), "no error message"],
  ["a text", "API_KEY is missing", "API_KEY is missing"],
  ["a value that cannot be converted to a string", Object.create(null), "no error message"],
])("explainStartupError explains %s", (_what, error, message) => {
  expect(explainStartupError(error)).toBe(message);
});

test("explainStartupError truncates a long message", () => {
  expect(explainStartupError(failure("x".repeat(2000)))).toBe(`${"x".repeat(500)}…`);
});
