import { createServer, type LogEntry, tool } from "@toolwright/engine";
import { type HttpOptions, serveHttp } from "@toolwright/engine/http";
import { onTestFinished } from "vitest";

/** Who may call. */
export type Auth = NonNullable<HttpOptions["auth"]>;

/** Who calls, as the server sees it. */
const whoami = tool({
  name: "whoami",
  description: "Says who calls.",
  run: (_input, { principal }) => principal ?? "nobody",
});

const write = tool({
  name: "write",
  description: "Needs a scope.",
  scopes: ["write"],
  run: () => "written",
});

const wipe = tool({
  name: "wipe",
  description: "Needs two scopes.",
  scopes: ["write", "wipe"],
  run: () => "wiped",
});

/** A server behind its gate, and what it has logged. */
export interface Guarded {
  readonly url: string;
  readonly origin: string;
  readonly logged: readonly LogEntry[];
}

/** Serves three tools to those who are let in, until the test ends. */
export async function serveGuarded(auth: Auth, options: Omit<HttpOptions, "auth"> = {}): Promise<Guarded> {
  const logged: LogEntry[] = [];
  const log = (entry: LogEntry) => void logged.push(entry);
  const server = createServer({ name: "guarded", version: "1.0.0", tools: [whoami, write, wipe], log });
  const serving = await serveHttp(server, { port: 0, ...options, auth: { selfCheck: "off", ...auth } });
  onTestFinished(async () => {
    await serving.close();
    await server.close();
  });
  return { url: serving.url, origin: new URL(serving.url).origin, logged };
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What became of a request. */
export interface Answered {
  readonly status: number;
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string | null;
  /** What the tool said, or the message of the error. */
  readonly said: string;
  /** The value of `Retry-After`, where there is one. */
  readonly retryAfter?: string;
}

/** Calls a tool as a client that needs no session does. `authorization` is the whole header. */
export async function call(
  url: string,
  authorization?: string,
  name = "whoami",
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
      ...(authorization !== undefined && { authorization }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, _meta: META } }),
  });
  const text = await response.text();
  const retryAfter = response.headers.get("retry-after");
  const body = JSON.parse(text) as { result?: { content: { text: string }[] }; error?: { message: string } };
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    said: (body.result?.content[0]?.text ?? body.error?.message ?? text).replace(/^Invalid request: /, ""),
    ...(retryAfter !== null && { retryAfter }),
  };
}

/** Fetches a public document. */
export async function read(url: string): Promise<unknown> {
  const response = await fetch(url);
  return response.status === 200 ? response.json() : response.status;
}
