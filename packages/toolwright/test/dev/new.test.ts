import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { MAIN, PATIENCE } from "./kit.js";

const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/** Runs a program to its end. */
async function run(cwd: string, command: string, args: readonly string[]) {
  const PATH = `${path.join(MODULES, ".bin")}${path.delimiter}${process.env["PATH"]}`;
  const child = spawn(command, args, { cwd, env: { ...process.env, PATH }, stdio: ["ignore", "pipe", "pipe"] });
  const told = { output: "" };
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      told.output += String(chunk);
    });
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { code, output: told.output };
}

/** Makes a project of a kind, and gives its folder. */
async function make(kind: string): Promise<string> {
  const above = mkdtempSync(path.join(os.tmpdir(), "toolwright-new-"));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const made = await run(above, process.execPath, [MAIN, "new", kind, "my-first"]);
  expect(made).toMatchObject({ code: 0 });
  const folder = path.join(above, "my-first");
  symlinkSync(MODULES, path.join(folder, "node_modules"), "junction");
  const { code, output } = await run(folder, "npm", ["test"]);
  expect(output).toMatch(/# fail 0/);
  expect(code).toBe(0);
  return folder;
}

const call = (folder: string, command: readonly string[]) =>
  run(folder, process.execPath, [MAIN, "call", "greet", "name=Ada", "--", process.execPath, ...command]);

test(
  "a new server passes its tests, and greets, built and in the making",
  async () => {
    const folder = await make("server");
    expect((await call(folder, ["dist/server.js"])).output).toContain("Hello, Ada!");
    expect((await call(folder, [MAIN, "dev", "src/server.ts"])).output).toContain("Hello, Ada!");
  },
  PATIENCE,
);

test(
  "a new pack passes its tests, and greets beside the packs of toolwright",
  async () => {
    const folder = await make("pack");
    const more = ["--state", folder, "--set", 'packs.my-first={"greeting":"Good day"}'];
    const { output } = await call(folder, [MAIN, "serve", "--pack", "dist/index.js", ...more]);
    expect(output).toContain("Good day, Ada!");
  },
  PATIENCE,
);

test("a kind that is misspelt is named", async () => {
  const { code, output } = await run(os.tmpdir(), process.execPath, [MAIN, "new", "servr", "my-first"]);
  expect([code, output]).toEqual([2, 'toolwright: There is no toolchain "servr"; did you mean server?\n']);
});
