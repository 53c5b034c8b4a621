import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { examineConfigured } from "../../src/doctor/client-entries.js";
import { folder } from "../cli/listening.js";

const entry = (command: string, args: readonly string[] = [], cwd?: string) => ({
  name: "x",
  client: "cursor",
  file: "mcp.json",
  scope: "user" as const,
  target: { command, args, ...(cwd !== undefined && { cwd }) },
});

async function said(command: string, args: readonly string[] = [], cwd?: string): Promise<string[]> {
  const [report] = await examineConfigured([entry(command, args, cwd)]);
  return (report?.findings ?? []).map(({ severity, summary }) => `${severity}: ${summary}`);
}

test("a program and a file that are there are good", async () => {
  const file = path.join(folder(), "server.mjs");
  writeFileSync(file, "");
  expect(await said(process.execPath, [file])).toEqual([`good: The program ${process.execPath} exists.`]);
});

test("a program that does not exist is a fault", async () => {
  expect(await said("/no/such/node")).toEqual(["fault: The program /no/such/node does not exist, or cannot be run."]);
  expect(await said("no-such-program-anywhere")).toEqual([
    "fault: There is no program no-such-program-anywhere on the PATH.",
  ]);
});

test("a file that does not exist is a fault, and a relative one a warning", async () => {
  expect(await said(process.execPath, ["/no/such/server.mjs", "serve"])).toContain(
    "fault: The file /no/such/server.mjs does not exist.",
  );
  expect(await said(process.execPath, ["build/server.mjs"])).toContain(
    "warning: The file build/server.mjs is not an absolute path.",
  );
});

test("a folder that does not exist is a fault", async () => {
  expect(await said(process.execPath, [], "/no/such/folder")).toContain(
    "fault: Its folder /no/such/folder does not exist.",
  );
});

test("a command line in place of a program is reported without possible secrets", async () => {
  expect(await said("node /no/such/server.mjs --key=s3cr3t")).toEqual([
    "fault: Its command is node with arguments, which is not the name of a program.",
  ]);
  expect(await said(`${process.execPath} /no/such/server.mjs`)).toEqual([
    `fault: Its command is ${process.execPath} with arguments, which is not the name of a program.`,
  ]);
  const program = path.join(folder(), "my program");
  writeFileSync(program, "", { mode: 0o755 });
  expect(await said(program)).toEqual([`good: The program ${program} exists.`]);
});
