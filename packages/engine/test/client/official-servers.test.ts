import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { InMemoryEventStore } from "@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  McpServer as McpServerV2,
} from "@modelcontextprotocol/server";
import type { ClientOptions, Progress, Target } from "@toolwright/engine/client";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { node } from "./node.js";
import { bodyOf, listen } from "./peers.js";
import { connected, until } from "./targets.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const form = { type: "object" as const, properties: { sure: { type: "boolean" as const } }, required: ["sure"] };
const sure = z.object({ sure: z.boolean() });

/** A server of the official SDK, version 1, with elicitation, sampling and progress. */
function createV1(): McpServer {
  const server = new McpServer({ name: "v1", version: "1.0.0" }, { capabilities: { logging: {} } });
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool("greet", { inputSchema: { name: z.string() } }, ({ name }) => text(`Hello, ${name}!`));
  server.registerTool("delete", {}, async () => {
    const { action, content } = await server.server.elicitInput({ message: "Delete?", requestedSchema: form });
    return text(`${action} ${String(content?.["sure"])}`);
  });
  server.registerTool("sample", {}, async () => {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Hi" } }];
    const { content } = await server.server.createMessage({ messages, maxTokens: 10 });
    return text(JSON.stringify(content));
  });
  server.registerTool("folders", {}, async () =>
    text((await server.server.listRoots()).roots.map(({ uri }) => uri).join()),
  );
  server.registerTool("count", {}, async (extra) => {
    for (const progress of [1, 2])
      await extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken: extra._meta?.progressToken ?? 0, progress, total: 2 },
      });
    return text("counted");
  });
  server.registerResource("note", "note://today", {}, () => ({ contents: [{ uri: "note://today", text: "Tea." }] }));
  server.registerPrompt("brief", { argsSchema: { topic: z.string() } }, ({ topic }) => ({
    messages: [{ role: "user", content: { type: "text", text: `About ${topic}` } }],
  }));
  return server;
}

/** The Streamable HTTP of version 1, with sessions. */
async function serveV1(options: { withEvents: boolean; json: boolean }): Promise<Target> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const url = await listen((request, response) => {
    void (async () => {
      const body = request.method === "POST" ? await bodyOf(request) : undefined;
      const known = sessions.get(String(request.headers["mcp-session-id"]));
      if (known) return known.handleRequest(request, response, body);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: options.json,
        onsessioninitialized: (id) => void sessions.set(id, transport),
        ...(options.withEvents && { eventStore: new InMemoryEventStore() }),
      });
      await createV1().connect(transport);
      await transport.handleRequest(request, response, body);
    })();
  });
  return { url: `${url}/mcp` };
}

/** The HTTP+SSE of version 1, where a POST to the stream's address is rejected. */
async function serveSseV1(): Promise<URL> {
  const transports = new Map<string, SSEServerTransport>();
  const url = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (request.method === "GET" && pathname === "/sse") {
      const transport = new SSEServerTransport("/messages", response);
      transports.set(transport.sessionId, transport);
      void createV1().connect(transport);
    } else if (request.method === "POST" && pathname === "/messages")
      void transports.get(searchParams.get("sessionId") ?? "")?.handlePostMessage(request, response);
    else response.writeHead(404).end("Cannot POST /sse");
  });
  return new URL("/sse", url);
}

const stdioV1: Target = {
  command: node,
  cwd: root,
  args: [
    "--input-type=module",
    "-e",
    `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
     import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
     import { z } from "zod";
     const server = new McpServer({ name: "v1", version: "1.0.0" });
     server.registerTool("greet", { inputSchema: { name: z.string() } }, ({ name }) => ({ content: [{ type: "text", text: "Hello, " + name + "!" }] }));
     await server.connect(new StdioServerTransport());`,
  ],
};

const handlers: ClientOptions = {
  onElicit: ({ message }) => ({ action: "accept", content: { sure: message === "Delete?" } }),
  onSample: () => ({ role: "assistant", content: { type: "text", text: "Bonjour" }, model: "m" }),
  roots: [{ uri: "file:///work" }],
};
const textOf = ({ content }: { content: readonly object[] }) => (content[0] as { text?: string }).text;

const ways: [name: string, open: () => Promise<Target>][] = [
  ["Streamable HTTP with streams that can be resumed", () => serveV1({ withEvents: true, json: false })],
  ["Streamable HTTP with plain streams", () => serveV1({ withEvents: false, json: false })],
  ["HTTP+SSE", async () => ({ sse: await serveSseV1() })],
  ["HTTP+SSE, found by falling back", async () => ({ url: await serveSseV1() })],
];

describe.each(ways)("a server of the official SDK 1 over %s", (_name, open) => {
  test.each([undefined, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "is used in revision %s",
    async (revision) => {
      const client = await connected(await open(), { ...handlers, ...(revision !== undefined && { revision }) });
      expect(client.server).toMatchObject({
        revision: revision ?? "2025-11-25",
        info: { name: "v1", version: "1.0.0" },
      });
      expect((await client.listTools()).map(({ name }) => name)).toEqual([
        "greet",
        "delete",
        "sample",
        "folders",
        "count",
      ]);
      expect(textOf(await client.callTool("greet", { name: "Ada" }))).toBe("Hello, Ada!");
      expect(textOf(await client.callTool("delete"))).toBe("accept true");
      expect(textOf(await client.callTool("sample"))).toBe('{"type":"text","text":"Bonjour"}');
      expect(textOf(await client.callTool("folders"))).toBe("file:///work");
      const received: Progress[] = [];
      expect(textOf(await client.callTool("count", {}, { onProgress: (progress) => received.push(progress) }))).toBe(
        "counted",
      );
      await until(() => received.length === 2);
      expect((await client.readResource("note://today")).contents).toEqual([{ uri: "note://today", text: "Tea." }]);
      expect((await client.getPrompt("brief", { topic: "tea" })).messages).toHaveLength(1);
      await client.setLogLevel("error");
      await client.ping();
    },
  );
});

test("a server of the official SDK 1 that responds only with JSON is usable", async () => {
  const client = await connected(await serveV1({ withEvents: false, json: true }));
  expect(textOf(await client.callTool("greet", { name: "Ada" }))).toBe("Hello, Ada!");
});

test("a server of the official SDK 1 over stdio is usable, and exits on close", async () => {
  const client = await connected(stdioV1);
  expect(client.server).toMatchObject({ revision: "2025-11-25", info: { name: "v1" } });
  expect(textOf(await client.callTool("greet", { name: "Ada" }))).toBe("Hello, Ada!");
  await client.close();
});

/** A server of the official SDK, version 2, for both kinds of revisions. */
function createV2(): McpServerV2 {
  const server = new McpServerV2({ name: "v2", version: "2.0.0" }, { instructions: "Be brief." });
  const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
  server.registerTool("greet", { inputSchema: z.object({ name: z.string() }) }, ({ name }) => text(`Hello, ${name}!`));
  server.registerTool("delete", { inputSchema: z.object({}) }, (_input, context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, "confirm", sure);
    if (answer !== undefined) return text(`sure: ${answer.sure}`);
    const confirm = inputRequired.elicit({ message: "Delete?", requestedSchema: sure });
    return inputRequired({ inputRequests: { confirm } });
  });
  return server;
}

describe("a server of the official SDK 2 over HTTP", () => {
  const open = async (): Promise<Target> => {
    const handle = toNodeHandler(createMcpHandler(createV2));
    return { url: await listen((request, response) => void handle(request as never, response)) };
  };

  test.each([undefined, "2026-07-28"])(
    "is usable in the stateless revision (option revision: %s)",
    async (revision) => {
      const client = await connected(await open(), { ...handlers, ...(revision !== undefined && { revision }) });
      expect(client.server).toMatchObject({ revision: "2026-07-28", info: { name: "v2" }, instructions: "Be brief." });
      expect((await client.listTools()).map(({ name }) => name)).toEqual(["greet", "delete"]);
      expect(textOf(await client.callTool("greet", { name: "Zoë" }))).toBe("Hello, Zoë!");
      expect(textOf(await client.callTool("delete"))).toBe("sure: true");
      await expect(client.callTool("nothing")).rejects.toMatchObject({ code: -32602 });
    },
  );

  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "is used in %s, where it keeps no session",
    async (revision) => {
      const client = await connected(await open(), { revision });
      expect(textOf(await client.callTool("greet", { name: "Ada" }))).toBe("Hello, Ada!");
    },
  );
});

test.each([undefined, "2025-11-25"])(
  "a server of the official SDK 2 over stdio is usable (option revision: %s)",
  async (revision) => {
    const lines = `import { McpServer } from "@modelcontextprotocol/server";
    import { serveStdio } from "@modelcontextprotocol/server/stdio";
    import { z } from "zod";
    serveStdio(() => {
      const server = new McpServer({ name: "v2", version: "2.0.0" });
      server.registerTool("greet", { inputSchema: z.object({ name: z.string() }) }, ({ name }) => ({ content: [{ type: "text", text: "Hello, " + name + "!" }] }));
      return server;
    });`;
    const target: Target = { command: node, cwd: root, args: ["--input-type=module", "-e", lines] };
    const client = await connected(target, revision === undefined ? {} : { revision });
    expect(client.server).toMatchObject({ revision: revision ?? "2026-07-28", info: { name: "v2" } });
    expect(textOf(await client.callTool("greet", { name: "Ada" }))).toBe("Hello, Ada!");
  },
);
