import { createServer, type JsonObject, openMemory, type Server, type ServerOptions, tool } from "@toolwright/engine";
import type { TestClient } from "@toolwright/engine/testing";
import { loadKit } from "../../packages/engine/src/server/asking/load-kit.js";

// A server loads this with its first question; the texts below are given no time for that.
await loadKit();

/** Gives back the text it gets. */
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

/** A tool that ends when the test says so, and notes which of its calls were told to stop. */
export function createGate(name = "gate") {
  const stopped: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    stopped,
    /** Calls that have begun and not ended. */
    get waiting(): number {
      return waiting.length;
    },
    /** Lets every call end that has begun. */
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

/** Waits until the server has said what it has to say. */
export const settled = (ms = 50): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Everything that the server said, in order. */
export const said = (client: TestClient): JsonObject[] =>
  client.conversation.filter(({ from }) => from === "server").map(({ message }) => message as JsonObject);

/** Sends a text as it is, and gives what the server says to it. */
export async function tell(client: TestClient, text: string): Promise<JsonObject[]> {
  const before = said(client).length;
  client.sayText(text);
  await settled(2);
  return said(client).slice(before);
}

/** A connection without a client, for texts that JavaScript cannot hold. */
export async function openRaw(server: Server) {
  const heard: string[] = [];
  const connection = await openMemory(server, (message) => heard.push(message));
  return {
    heard,
    close: () => connection.close(),
    /** Sends texts, and gives what the server says to them. */
    async tell(...texts: readonly string[]): Promise<string[]> {
      const before = heard.length;
      for (const text of texts) connection.send(text);
      await settled(5);
      return heard.slice(before);
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
export const modern = (id: string | number, method: string, params: JsonObject = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: META } });

/** The text of a request of the handshake era. */
export const legacy = (id: string | number, method: string, params?: JsonObject): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) });
