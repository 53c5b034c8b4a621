import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { createServer } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { workspacePackages } from "../../../../tests/support/workspace-packages.mjs";
import { makeFolder } from "../kit.js";
import { createKnowledge, hostOf } from "../open-pack.js";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const PACKAGE = path.join(ROOT, "packages/toolwright");
let program = "";

/** Node runs no TypeScript: the program is made of the sources of now. */
beforeAll(async () => {
  program = await mkdtemp(path.join(os.tmpdir(), "bound-"));
  await mkdir(path.join(program, "dist"));
  await symlink(path.join(ROOT, "node_modules"), path.join(program, "node_modules"));
  await symlink(path.join(PACKAGE, "dist/models"), path.join(program, "dist/models"));
  await build({
    entryPoints: [fileURLToPath(new URL("./program.ts", import.meta.url))],
    outdir: path.join(program, "dist"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    plugins: [workspacePackages],
    alias: Object.fromEntries(
      ["", "/http", "/sockets", "/client", "/testing", "/tasks", "/observability", "/transport"].map((entry) => [
        `@toolwright/engine${entry}`,
        path.join(ROOT, `packages/engine/src${entry || "/index"}.ts`),
      ]),
    ),
    conditions: ["@toolwright/source"],
    logLevel: "warning",
  });
}, 60_000);
afterAll(() => rm(program, { recursive: true, force: true }));

/** Connects the official client, and counts how often it hears that the list is another one. */
async function connectOfficial(transport: Transport) {
  const client = new Client({ name: "official", version: "1.0.0" });
  let notified = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    notified += 1;
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const names = async (): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name).filter((name) => !name.startsWith("kb_"));
  return { client, names, notified: () => notified };
}

test("official clients over stdio and HTTP, in two processes, see a tool come and go without a restart", async () => {
  const state = await makeFolder();
  const server = createServer({
    name: "bench",
    version: "1.0.0",
    packs: [createKnowledge(hostOf(state))({ embedder: "static" })],
    dynamic: true,
  });
  const serving = await serveHttp(server, { port: 0 });
  onTestFinished(() => serving.close());
  const web = await connectOfficial(new StreamableHTTPClientTransport(new URL(serving.url)));
  const args = [path.join(program, "dist/program.mjs"), state];
  const stdio = await connectOfficial(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  const call = async (name: string, given: Record<string, unknown>) =>
    expect((await stdio.client.callTool({ name, arguments: given })).isError).not.toBe(true);
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "# A\n\nBackups are kept for long." }] });
  expect(await web.names()).toEqual([]);
  await call("kb_register_tool", { name: "find", collection: "docs" });
  await vi.waitFor(() => expect([stdio.notified(), web.notified()]).toEqual([1, 1]), { timeout: 20_000 });
  expect([await stdio.names(), await web.names()]).toEqual([["find"], ["find"]]);
  const found = await web.client.callTool({ name: "find", arguments: { query: "backups" } });
  expect(JSON.stringify(found.structuredContent)).toContain("Backups are kept for long.");
  await call("kb_deactivate_tool", { name: "find" });
  await vi.waitFor(() => expect([stdio.notified(), web.notified()]).toEqual([2, 2]), { timeout: 20_000 });
  expect([await stdio.names(), await web.names()]).toEqual([[], []]);
});
