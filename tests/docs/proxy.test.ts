import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer as createListener } from "node:net";
import os from "node:os";
import path from "node:path";
import { createServer, tool } from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { serveHttp } from "@toolwright/engine/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { blocksOf, readPage } from "./pages.js";

// What a busy machine may take.
const PATIENCE = 120_000;
const page = readPage("docs/guides/proxy.md");

/** How a text of the page is made one for this machine, and how its program is started with it. */
interface Proxy {
  readonly name: string;
  readonly language: string;
  readonly adapt: (text: string, port: number, folder: string) => string;
  readonly args: (file: string, folder: string) => readonly string[];
}

const PROXIES: readonly Proxy[] = [
  {
    name: "nginx",
    language: "nginx",
    adapt: (text, port, folder) => {
      const site = text.replace("listen 443 ssl", `listen 127.0.0.1:${port}`).replaceAll(/^ *ssl_certificate.*$/gm, "");
      const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (name) => `${name}_temp_path ${folder}/${name};`,
      );
      const http = `access_log off; ${places.join(" ")}\n${site}`;
      return `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp {\n${http}\n}`;
    },
    args: (file, folder) => ["-p", folder, "-e", "stderr", "-c", file],
  },
  {
    name: "haproxy",
    language: "haproxy",
    adapt: (text, port) => text.replace(/bind :443.*/, `bind 127.0.0.1:${port}`),
    args: (file) => ["-db", "-f", file],
  },
  {
    name: "caddy",
    language: "caddyfile",
    adapt: (text, port) =>
      `{\n  admin off\n}\n${text.replace(/^tools\.example \{/, `http://:${port} {\n  bind 127.0.0.1`)}`,
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
];

const isThere = (name: string) => spawnSync(name, [name === "caddy" ? "version" : "-v"]).error === undefined;

async function freePort(): Promise<number> {
  const listener = createListener();
  await new Promise<void>((resolve) => void listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => void listener.close(resolve));
  return port;
}

/** A server as the page says, with a tool that ends only when its progress has been seen. */
async function serve() {
  let release = () => {};
  const seen = new Promise<void>((resolve) => {
    release = resolve;
  });
  const wait = tool({
    name: "wait",
    description: "Waits until its progress was seen.",
    async run(_input, call) {
      call.progress(1, "begun");
      await seen;
      return "seen";
    },
  });
  const headers = tool({ name: "headers", description: "Tells.", run: (_input, call) => ({ ...call.http?.headers }) });
  const server = createServer({ name: "behind", version: "1.0.0", tools: [wait, headers] });
  const options = { port: 0, publicUrl: "https://tools.example/mcp", trustProxy: ["127.0.0.1"], webSocket: true };
  const serving = await serveHttp(server, options);
  onTestFinished(async () => {
    await serving.close();
    await server.close();
  });
  return { port: new URL(serving.url).port, release };
}

/** Runs a proxy with the text of the page in front of a server, and gives its port. */
async function run({ name, language, adapt, args }: Proxy, backend: string): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), `toolwright-${name}-`));
  mkdirSync(`${folder}/logs`);
  const port = await freePort();
  const block = blocksOf(page).find(({ words }) => words[0] === language);
  const text = (block?.code ?? "").replaceAll("127.0.0.1:3000", `127.0.0.1:${backend}`);
  const file = `${folder}/config`;
  writeFileSync(file, adapt(text, port, folder));
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const child = spawn(name, args(file, folder), { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => void (said += part));
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  while ((await statusOf(port, "tools.example").catch(() => 503)) === 503)
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
  return port;
}

/** What somebody gets who asks under a name. */
function statusOf(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, "content-type": "application/json", accept: "application/json, text/event-stream" };
    const asked = request({ host: "127.0.0.1", port, path: "/mcp", method: "POST", headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.on("error", reject).end('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  });
}

describe.each(PROXIES)("$name, with the text of the page", (proxy) => {
  // It is no part of the project: the test runs where the program is installed.
  const isHere = isThere(proxy.name);

  test.skipIf(!isHere).each(["2026-07-28", "2025-11-25"])(
    "passes progress on at once to clients of %s",
    { timeout: PATIENCE },
    async (revision) => {
      const { port: backend, release } = await serve();
      const client = await connect({ url: `http://127.0.0.1:${await run(proxy, backend)}/mcp` }, { revision });
      onTestFinished(() => client.close());
      const result = await client.callTool("wait", {}, { onProgress: release });
      expect(result["content"]).toEqual([{ type: "text", text: "seen" }]);
    },
  );

  test.skipIf(!isHere)("passes on the client address and host name", { timeout: PATIENCE }, async () => {
    const { port: backend } = await serve();
    const port = await run(proxy, backend);
    const client = await connect({ url: `http://127.0.0.1:${port}/mcp` });
    onTestFinished(() => client.close());
    const { structuredContent } = await client.callTool("headers");
    expect(structuredContent).toMatchObject({
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-host": `127.0.0.1:${port}`,
      "x-forwarded-proto": expect.stringMatching(/^https?$/) as string,
    });
    expect(await statusOf(port, "strange.example")).toBe(403);
  });

  test.skipIf(!isHere)("lets WebSocket through", { timeout: PATIENCE }, async () => {
    const { port: backend } = await serve();
    const client = await connect({ url: `ws://127.0.0.1:${await run(proxy, backend)}/mcp` });
    onTestFinished(() => client.close());
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["wait", "headers"]);
  });
});
