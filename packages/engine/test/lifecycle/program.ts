import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { Child, initialize, type Message } from "../stdio/child.js";

/** The URL of an entry point of the built engine, for servers in tests. */
export const engineUrl = (entry: string): string => new URL(`../../dist/${entry}.js`, import.meta.url).href;

/** The URL from which servers in tests import the engine. */
export const ENGINE: string = engineUrl("index");

/** Files of a program, by name. */
type Files = Readonly<Record<string, string>>;

/** A folder with these files, until the test is over. */
export function folderWith(files: Files): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "lifecycle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

/** Starts the `main.mjs` of these files; `flags` go to Node. */
export function startProgram(files: Files, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Child {
  return new Child(process.execPath, [...flags, path.join(folderWith(files), "main.mjs")], env);
}

/** The source of a server with the tools in `body`, a comma-separated list, and further `options`. */
export function serverText(body: string, options = ""): string {
  return [
    'import { existsSync, writeSync } from "node:fs";',
    'import { exec, spawn } from "node:child_process";',
    `import { createServer, pack, serveStdio, tool } from ${JSON.stringify(ENGINE)};`,
    `import { serveHttp } from ${JSON.stringify(engineUrl("http"))};`,
    `import { spawnChild } from ${JSON.stringify(engineUrl("transport"))};`,
    `const tools = [${body}];`,
    `export const server = createServer({ name: "test", version: "1.0.0", tools, ${options} });`,
    "",
  ].join("\n");
}

/** A program that serves these tools. */
export function programOf(body: string, options = "", before = ""): Files {
  return { "main.mjs": `${serverText(body, options)}${before}\nawait serveStdio(server);\n` };
}

/** Does the handshake. */
export async function opened(child: Child): Promise<Child> {
  child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
  await child.answer(0);
  return child;
}

/** The first request of a client, with and without a handshake. */
export const FIRST_MESSAGES: readonly (readonly [revision: string, message: Message])[] = [
  ["2025-11-25", initialize("first")],
  [
    "2026-07-28",
    {
      jsonrpc: "2.0",
      id: "first",
      method: "server/discover",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
  ],
];

/** Whether a process with this id is running. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process has exited. */
export async function untilGone(pid: number): Promise<void> {
  while (isThere(pid)) await sleep(10);
}

/** Kills a process after the test, if it is still running. */
export function endWithTest(pid: number): number {
  onTestFinished(() => {
    if (isThere(pid)) process.kill(pid, "SIGKILL");
  });
  return pid;
}
