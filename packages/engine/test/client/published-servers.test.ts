import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ClientOptions, Target } from "@toolwright/engine/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { node } from "./node.js";
import { connected, until } from "./targets.js";

const require = createRequire(import.meta.url);
const everything = require.resolve("@modelcontextprotocol/server-everything/dist/index.js");
const filesystem = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const textOf = ({ content }: { content: readonly object[] }) =>
  content.map((block) => (block as { text?: string }).text).join("\n");

/** Makes a server that wants a fixed port listen on a free one of the loopback address, and tell which. */
const onAnyPort = `data:text/javascript,${encodeURIComponent(`
  import net from "node:net";
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...args) {
    this.once("listening", () => console.error("listening on", this.address().port));
    return listen.call(this, 0, "127.0.0.1", args.findLast((arg) => typeof arg === "function"));
  };`)}`;

/** Starts server-everything over HTTP until the test is over; gives its origin. */
async function startOverHttp(kind: "streamableHttp" | "sse"): Promise<string> {
  const child = spawn(node, ["--import", onAnyPort, everything, kind], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await until(() => /listening on \d+\n/.test(output));
  return `http://127.0.0.1:${/listening on (\d+)/.exec(output)?.[1]}`;
}

const handlers: ClientOptions = {
  onElicit: () => ({ action: "accept", content: { name: "Ada", check: true, interpretation: "technical" } }),
  onSample: () => ({ role: "assistant", content: { type: "text", text: "Bonjour" }, model: "m" }),
  roots: [{ uri: "file:///work", name: "work" }],
};

const ways: [name: string, open: () => Target | Promise<Target>][] = [
  ["stdio", () => ({ command: node, args: [everything] })],
  ["Streamable HTTP", async () => ({ url: `${await startOverHttp("streamableHttp")}/mcp` })],
  ["HTTP+SSE, found by falling back", async () => ({ url: `${await startOverHttp("sse")}/sse` })],
];

describe.each(ways)("server-everything over %s", (_name, open) => {
  test("is usable with all its features", async () => {
    const client = await connected(await open(), handlers);
    expect(client.server.revision).toBe("2025-11-25");
    expect(client.server.instructions).toContain("Everything Server");
    expect((await client.listTools()).map(({ name }) => name)).toContain("get-sum");
    expect(textOf(await client.callTool("get-sum", { a: 2, b: 3 }))).toBe("The sum of 2 and 3 is 5.");
    expect(textOf(await client.callTool("trigger-sampling-request", { prompt: "Hi", maxTokens: 5 }))).toContain(
      "Bonjour",
    );
    expect(textOf(await client.callTool("trigger-elicitation-request"))).toContain(
      "User provided the requested information",
    );
    expect(textOf(await client.callTool("get-roots-list"))).toContain("file:///work");
    const received: number[] = [];
    const long = await client.callTool(
      "trigger-long-running-operation",
      { duration: 0.2, steps: 2 },
      { onProgress: ({ progress }) => received.push(progress) },
    );
    expect(textOf(long)).toContain("Long running operation completed");
    await until(() => received.length === 2);
    const [first] = await client.listResources();
    expect((await client.readResource(String(first?.uri))).contents).toHaveLength(1);
    expect((await client.listResourceTemplates()).length).toBeGreaterThan(0);
    expect((await client.listPrompts()).length).toBeGreaterThan(0);
    const city = await client.complete(
      { type: "ref/prompt", name: "completable-prompt" },
      { name: "department", value: "E" },
    );
    expect(city.values).toEqual(["Engineering"]);
    await client.setLogLevel("error");
    await client.ping();
  });
});

test("a tool of server-everything that requires a task is followed to its end", async () => {
  const client = await connected({ command: node, args: [everything] }, handlers);
  await client.listTools();
  const states: string[] = [];
  const result = await client.callTool(
    "simulate-research-query",
    { topic: "python", ambiguous: true },
    { onTask: ({ status }) => states.push(status) },
  );
  expect(textOf(result)).toContain("python (technical");
  expect(states[0]).toBe("working");
});

test("server-filesystem gets its allowed folder from the client's roots", async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "toolwright-client-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "note.txt"), "Tea.");
  const roots = [{ uri: pathToFileURL(folder).href }];
  const client = await connected({ command: node, args: [filesystem] }, { roots });
  while (!textOf(await client.callTool("list_allowed_directories")).includes(folder)) await client.ping();
  expect((await client.listTools()).map(({ name }) => name)).toContain("read_text_file");
  expect(textOf(await client.callTool("read_text_file", { path: path.join(folder, "note.txt") }))).toBe("Tea.");
  expect(await client.callTool("read_text_file", { path: "/etc/hostname" })).toMatchObject({ isError: true });
});
