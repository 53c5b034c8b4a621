import { spawn } from "node:child_process";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { begunIn, codeOf, MAIN, makeProject, oneTool, PATIENCE, put, textOf, until } from "./kit.js";

const info = { name: "tests", version: "1.0.0" };

/** Serves a project over HTTP, at a port that is free. */
async function serve(folder: string) {
  const child = spawn(process.execPath, [MAIN, "dev", "src/server.ts", "--http", "0", "--drain", "600"], {
    cwd: folder,
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    expect(await ended).toBe(143);
  });
  const told = { stderr: "" };
  child.stderr.on("data", (chunk) => {
    told.stderr += String(chunk);
  });
  child.stdout.resume();
  await until(() => told.stderr.includes("/mcp;"));
  return new URL(/http:\S+(?=;)/.exec(told.stderr)?.[0] ?? "");
}

async function openV1(url: URL) {
  const changes: string[] = [];
  const client = new ClientV1(info, {
    capabilities: { elicitation: {} },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changes.push("tools") } },
  });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: "Ada" } }));
  await client.connect(new HttpV1(url));
  onTestFinished(() => client.close());
  return { client, changes };
}

test(
  "sessions and stateless clients over HTTP stay while the code is swapped, and do not disturb each other",
  async () => {
    const folder = makeProject(codeOf("v0"));
    const url = await serve(folder);
    const [first, second] = await Promise.all([openV1(url), openV1(url)]);
    const stateless = new ClientV2(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await stateless.connect(new HttpV2(url));
    onTestFinished(() => stateless.close());
    const clients = [first.client, second.client, stateless];
    const versions = async (): Promise<string[]> =>
      Promise.all(clients.map(async (client) => textOf(await client.callTool({ name: "version" }))));
    expect(await versions()).toEqual(["v0", "v0", "v0"]);
    const waits = clients.map((client) => client.callTool({ name: "wait", arguments: { file: "gate" } }));
    await until(() => begunIn(folder) === "gate\ngate\ngate\n");
    put(folder, "src/server.ts", codeOf("v1", oneTool("more")));
    await until(async () => (await versions()).every((version) => version === "v1"));
    await until(() => first.changes.length > 0 && second.changes.length > 0);
    put(folder, "gate", "");
    expect((await Promise.all(waits)).map(textOf)).toEqual(["v0 gate", "v0 gate", "v0 gate"]);
    expect(textOf(await first.client.callTool({ name: "ask" }))).toBe("v1 Ada");
  },
  PATIENCE,
);

test(
  "HTTP is for this machine and its own pages alone",
  async () => {
    const url = await serve(makeProject(codeOf("v0")));
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    const foreign = await fetch(url, { method: "POST", body, headers: { origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
    const unknown = await fetch(url, { method: "POST", body, headers: { "mcp-session-id": "none" } });
    expect(unknown.status).toBe(404);
    expect((await fetch(url, { method: "POST", body: "nonsense" })).status).toBe(400);
  },
  PATIENCE,
);
