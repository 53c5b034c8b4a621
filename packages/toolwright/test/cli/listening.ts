import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { Child, type Message } from "../../../engine/test/stdio/child.js";
import { PACK_NAMES } from "../../src/packs.js";

/** The built command. */
export const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** The environment of a server with one small pack, for tests that are about the server and not about packs. */
export const BASICS_ONLY: NodeJS.ProcessEnv = Object.fromEntries(
  PACK_NAMES.filter((name) => name !== "basics").map((name) => [`TOOLWRIGHT_PACKS_${name.toUpperCase()}`, "false"]),
);

/** Runs `toolwright serve` with these words. */
export function serve(words: string, env: NodeJS.ProcessEnv = {}): Child {
  const args = words.split(" ").filter((word) => word !== "");
  return new Child(process.execPath, [main, "serve", ...args], { TOOLWRIGHT_API_KEY: undefined, ...env });
}

/** Waits for the block that says what is served, and gives its rows. */
export async function started(child: Child): Promise<Record<string, string>> {
  await child.until(() => /^ {2}speaks .*\n/m.test(child.stderr), "its block");
  const rows = [...child.stderr.matchAll(/^ {2}(\w+) +(.*)$/gm)];
  return Object.fromEntries(rows.map(([, label = "", text = ""]) => [label, text]));
}

/** Serves, and gives the URL of a row. */
export async function urlOf(row: string, child: Child): Promise<string> {
  const url = (await started(child))[row];
  if (url === undefined) throw new Error(`There is no row ${row} in ${child.stderr}`);
  return url;
}

/** A folder for the time of a test. */
export function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "toolwright-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Calls a tool with a request that stands alone. */
export function callTool(
  url: string,
  name: string,
  args: Message = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const params = { name, arguments: args, _meta: META };
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}

/** Calls `echo` in the same way. */
export const callEcho = (url: string, text: string, headers?: Record<string, string>): Promise<Response> =>
  callTool(url, "echo", { text }, headers);

/** The text that a tool gave. */
export async function echoed(response: Response): Promise<string> {
  const { result } = (await response.json()) as { result: { content: { text: string }[] } };
  return result.content.map(({ text }) => text).join("");
}

/** Tells a server to stop, and gives how it ended. */
export function stop(child: Child, signal: NodeJS.Signals = "SIGTERM"): Child["ended"] {
  child.process.kill(signal);
  return child.ended;
}
