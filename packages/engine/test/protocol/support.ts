import { createServer, type JsonObject, type Server, type ServerOptions, tool } from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";
import { openMemoryConnection } from "@toolwright/engine/transport";

/** Returns its input. */
export const echo = tool({
  name: "echo",
  description: "Gives back the text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

/** A server with the tool `echo` whose own log is quiet. */
export function createEcho(options: Partial<ServerOptions> = {}): Server {
  return createServer({ name: "test", version: "1.0.0", tools: [echo], log: () => undefined, ...options });
}

/** A tool whose calls run until the test releases them, and a list of its aborted calls. */
export function createBlockingTool(name = "gate") {
  const stopped: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    stopped,
    /** The number of running calls. */
    get waiting(): number {
      return waiting.length;
    },
    /** Lets all running calls return. */
    open(): void {
      for (const release of waiting.splice(0)) release();
    },
    tool: tool({
      name,
      description: "Waits.",
      input: { type: "object", properties: { id: { type: "string" } } },
      run: ({ id = "one" }, call) =>
        new Promise<string>((resolve) => {
          waiting.push(() => resolve(`${id} done`));
          call.signal.addEventListener("abort", () => {
            stopped.push(`${id}: ${(call.signal.reason as Error).message}`);
          });
        }),
    }),
  };
}

/** Waits until the server has sent its messages. */
export const settled = (ms = 50): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** All messages from the server, in order. */
export const messagesFrom = (client: TestClient): JsonObject[] =>
  client.conversation.filter(({ from }) => from === "server").map(({ message }) => message as JsonObject);

/** Sends raw text, and returns the messages that the server sends next. */
export async function sendAndReceive(client: TestClient, text: string): Promise<JsonObject[]> {
  const before = messagesFrom(client).length;
  client.sendText(text);
  await settled(2);
  return messagesFrom(client).slice(before);
}

/** A connection without a client, for text that a client cannot send. */
export async function openRaw(server: Server) {
  const received: string[] = [];
  const connection = await openMemoryConnection(server, (message) => received.push(message));
  return {
    received,
    close: () => connection.close(),
    /** Sends raw text, and returns the messages that the server sends next. */
    async sendAndReceive(...texts: readonly string[]): Promise<string[]> {
      const before = received.length;
      for (const text of texts) connection.send(text);
      await settled(5);
      return received.slice(before);
    },
  };
}

/** The text of `initialize` for a revision. */
export const initializeIn = (version: string, more: JsonObject = {}): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: "init",
    method: "initialize",
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "test", version: "1" }, ...more },
  });

export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** The metadata of a stateless request, as the value of `_meta`. */
export const META: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The text of a stateless request. */
export const statelessRequest = (id: string | number, method: string, params: JsonObject = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: META } });

/** The text of a request in a session, for revisions with a handshake. */
export const sessionRequest = (id: string | number, method: string, params?: JsonObject): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) });
