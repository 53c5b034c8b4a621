import { createHash } from "node:crypto";
import { chmod, symlink } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, openWorkstation, putFiles } from "../kit.js";

const CHECK = "#!/bin/sh\necho checked\n";
const pin = (text: string): string => `#sha256=${createHash("sha256").update(text).digest("hex")}`;

async function open(commands: string[][], readOnly: string[] = []) {
  const bench = await openWorkstation({
    settings: { commands },
    policy: { readOnly },
    files: { "check.sh": CHECK, "tool.cjs": "console.log('tool', ...process.argv.slice(2));", "data.txt": "data" },
  });
  await chmod(path.join(bench.root, "check.sh"), 0o755);
  return bench;
}

describe("a script that tools can write", () => {
  test.each([
    [["./check.sh"]],
    [["sh", "check.sh"]],
    [["sh", "-x", "./check.sh"]],
    [["node", "tool.cjs"]],
    [["node", "tool"]],
    [["node", "--require", "./tool.cjs", "data.txt"]],
    [["node", "--require=./tool.cjs", "-v"]],
    [["env", "A=1", "node", "tool.cjs"]],
    [["env", "/bin/sh", "check.sh"]],
    [["nice", "-n", "1", "./check.sh"]],
    [["timeout", "5", "nice", "sh", "check.sh"]],
    [["sh", "-e", "check.sh"]],
    [["sh", "-xe", "check.sh"]],
    [["sh", "--", "check.sh"]],
    [["node", "-e", "1", "-r", "./tool.cjs"]],
    [["awk", "-f", "check.sh"]],
  ])("is not run without its hash: %j", async (argv) => {
    const { fail } = await open([argv]);
    expect(await fail("ci_run_command", { argv })).toMatchObject({
      code: "FORBIDDEN_COMMAND",
      text: expect.stringMatching(/a person reads it and writes .*#sha256=[0-9a-f]{64}/),
    });
  });

  test("is run with its hash, until it is changed", async () => {
    const { call, fail } = await open([[`./check.sh${pin(CHECK)}`], ["sh", `check.sh${pin(CHECK)}`, "*"]]);
    expect(await call("ci_run_command", { argv: ["./check.sh"] })).toMatchObject({ stdout: "checked\n" });
    expect(await call("ci_run_command", { argv: ["sh", "check.sh", "data.txt"] })).toMatchObject({ ok: true });
    await call("fs_write_file", { path: "check.sh", content: "#!/bin/sh\necho other\n" });
    for (const argv of [["./check.sh"], ["sh", "check.sh", "data.txt"]])
      expect(await fail("ci_run_command", { argv })).toMatchObject({
        code: "FORBIDDEN_COMMAND",
        text: expect.stringContaining("its content is not the one that a person has allowed"),
      });
  });

  test("is not run through a link from outside", async () => {
    const { root, fail } = await open([]);
    const outside = await makeFolder();
    await symlink(path.join(root, "check.sh"), path.join(outside, "check"));
    const linked = await openWorkstation({ root, settings: { commands: [[path.join(outside, "check")]] } });
    expect(await linked.fail("ci_run_command", { argv: [path.join(outside, "check")] })).toMatchObject({
      code: "FORBIDDEN_COMMAND",
    });
    expect(await fail("ci_run_command", { argv: ["sh", "-c", "true"] })).toMatchObject({ code: "FORBIDDEN_COMMAND" });
  });
});

describe("without a hash runs", () => {
  test("a script that the settings make read-only", async () => {
    const { call } = await open([["./check.sh"]], ["check.sh"]);
    expect(await call("ci_run_command", { argv: ["./check.sh"] })).toMatchObject({ stdout: "checked\n" });
  });

  test("a script outside the folders, with files of the project as arguments", async () => {
    const outside = await makeFolder();
    await putFiles(outside, { "print.cjs": "console.log(require('node:fs').readFileSync(process.argv[2], 'utf8'));" });
    const { call } = await open([["node", path.join(outside, "print.cjs"), "*"]]);
    const argv = ["node", path.join(outside, "print.cjs"), "data.txt"];
    expect(await call("ci_run_command", { argv })).toMatchObject({ stdout: "data\n" });
  });

  test("code that the entry itself has, and a program with files as arguments", async () => {
    const { call } = await open([
      ["node", "-e", "console.log(1)", "*"],
      ["cat", "*"],
      ["timeout", "5", "cat", "*"],
      ["sh", "-ec", "echo code", "*"],
      ["awk", "END { print NR }", "*"],
    ]);
    const argv = [
      ["timeout", "5", "cat", "check.sh"],
      ["sh", "-ec", "echo code", "check.sh"],
      ["awk", "END { print NR }", "check.sh"],
    ];
    for (const each of argv) expect(await call("ci_run_command", { argv: each })).toMatchObject({ ok: true });
    expect(await call("ci_run_command", { argv: ["node", "-e", "console.log(1)", "tool.cjs"] })).toMatchObject({
      stdout: "1\n",
    });
    expect(await call("ci_run_command", { argv: ["cat", "data.txt"] })).toMatchObject({ stdout: "data" });
  });
});
