import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { Child, initialize, type Message } from "../stdio/child.js";

const engine = fileURLToPath(new URL("../../packages/engine/dist/", import.meta.url));

/** What servers in tests import the engine from. */
export const ENGINE = pathToFileURL(`${engine}index.js`).href;

/** What `node --import` takes for the front. */
export const BOOT = pathToFileURL(`${engine}boot.js`).href;

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

/** The text of a server with these tools, which `body` defines as a list; `options` are further ones. */
export function serverText(body: string, options = ""): string {
  return [
    'import { existsSync, writeSync } from "node:fs";',
    'import { exec, spawn } from "node:child_process";',
    `import { createServer, pack, serveStdio, serveHttp, spawnChild, tool } from ${JSON.stringify(ENGINE)};`,
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

/** What a client of either era says first. */
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

/** Whether there is a process of this number that has not ended. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until a process is gone. */
export async function untilGone(pid: number): Promise<void> {
  while (isThere(pid)) await sleep(10);
}

/** Has a process ended with the test, should it still be there. */
export function endWithTest(pid: number): number {
  onTestFinished(() => {
    if (isThere(pid)) process.kill(pid, "SIGKILL");
  });
  return pid;
}
