import { expect, it } from "vitest";
import { parseCargo } from "../../../../src/builds/ecosystems/rust.js";

const message = (level: string, text: string, line?: number): string =>
  JSON.stringify({
    reason: "compiler-message",
    message: {
      message: text,
      level,
      rendered: `${level}: ${text}\n`,
      code: { code: "E0001" },
      spans:
        line === undefined
          ? []
          : [{ file_name: "src/a.rs", line_start: line, column_start: 2, is_primary: true, label: null }],
    },
  });

it("cargo reads JSON, and shows it as people would read it", () => {
  const text = [
    message("warning", "unused", 3),
    message("error", "mismatched types", 5),
    message("warning", "1 warning emitted"),
    message("note", "nothing"),
    '{"reason":"build-finished","success":false}',
    '{"reason":"cut off',
    "    Finished",
  ].join("\n");
  const { failures, plain } = parseCargo(text);
  expect(failures).toEqual([
    { file: "src/a.rs", line: 3, column: 2, message: "unused (E0001)", severity: "warning" },
    { file: "src/a.rs", line: 5, column: 2, message: "mismatched types (E0001)", severity: "error" },
  ]);
  expect(plain).toBe(
    "warning: unused\n\nerror: mismatched types\n\nwarning: 1 warning emitted\n\nnote: nothing\n\n    Finished",
  );
});

it("cargo reads the text of rustc", () => {
  const text = `error[E0308]: mismatched types
 --> src/lib.rs:3:5
  |
warning: unused variable: \`x\`
  --> src/lib.rs:2:9
error: could not compile \`tiny\` due to 1 previous error
`;
  expect(parseCargo(text).failures).toEqual([
    { file: "src/lib.rs", line: 3, column: 5, message: "mismatched types (E0308)", severity: "error" },
    { file: "src/lib.rs", line: 2, column: 9, message: "unused variable: `x`", severity: "warning" },
  ]);
});

it("cargo reads tests, in the words of old and new compilers, and adds up all results", () => {
  const text = `running 3 tests
test a ... ok
failures:

---- new stdout ----

thread 'new' (12) panicked at src/lib.rs:14:9:
assertion \`left == right\` failed
  left: 4
 right: 6
note: run with \`RUST_BACKTRACE=1\`

---- old stdout ----
thread 'old' panicked at 'boom', src/lib.rs:20:5

failures:
    new
    old

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured
test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured
`;
  const { failures, counts } = parseCargo(text);
  expect(failures).toEqual([
    {
      file: "src/lib.rs",
      line: 14,
      column: 9,
      test: "new",
      message: "assertion `left == right` failed\n  left: 4\n right: 6",
      severity: "error",
    },
    { file: "src/lib.rs", line: 20, column: 5, test: "old", message: "It failed.", severity: "error" },
  ]);
  expect(counts).toEqual({ passed: 3, failed: 2, skipped: 1 });
});
