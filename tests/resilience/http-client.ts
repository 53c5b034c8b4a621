import { Agent, request } from "node:http";
import { withTimeout } from "../soak/with-timeout.js";
import { keyOf } from "./real-server.js";

/** A JSON object. */
export type Message = Readonly<Record<string, unknown>>;

/** The response to a request. */
export interface Reply {
  readonly status: number;
  readonly message: { readonly result?: Message; readonly error?: Message };
  readonly sessionId: string | undefined;
}

const REVISION = "2026-07-28";
const SESSION_REVISION = "2025-11-25";

/** Who a client is: one with an API key, or one with a network address of its own. */
export interface Identity {
  readonly name: string;
  readonly hasKey: boolean;
  readonly address: string;
}

/** Sends requests over HTTP, stateless or in a session. */
export class HttpClient {
  readonly identity: Identity;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 400 });
  readonly #port: () => number;
  #lastId = 0;

  constructor(identity: Identity, port: () => number) {
    this.identity = identity;
    this.#port = port;
  }

  /** The headers of its requests. */
  get headers(): Record<string, string> {
    return {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(this.identity.hasKey && { authorization: `Bearer ${keyOf(this.identity.name)}` }),
    };
  }

  /** Calls a tool without a session. */
  callTool(name: string, args: Message, timeoutMs: number): Promise<Reply> {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": REVISION,
      "io.modelcontextprotocol/clientCapabilities": {},
      "toolwright/timeoutMs": timeoutMs,
    };
    const headers = { "mcp-protocol-version": REVISION, "mcp-method": "tools/call", "mcp-name": name };
    return this.send("tools/call", { name, arguments: args, _meta: meta }, headers, 3 * timeoutMs);
  }

  /** Opens a session, and returns the headers of its requests. */
  async openSession(
    clientInfo: Message = { name: this.identity.name, version: "1.0.0" },
  ): Promise<Record<string, string>> {
    const params = { protocolVersion: SESSION_REVISION, capabilities: {}, clientInfo };
    const { sessionId, message } = await this.send("initialize", params, {});
    if (sessionId === undefined) throw new Error(`no session: ${JSON.stringify(message.error)}`);
    const headers = { "mcp-session-id": sessionId, "mcp-protocol-version": SESSION_REVISION };
    await this.post(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }), headers);
    return headers;
  }

  /** Sends a request with any headers. */
  async send(method: string, params: Message, headers: Record<string, string>, timeoutMs?: number): Promise<Reply> {
    this.#lastId += 1;
    return this.post(JSON.stringify({ jsonrpc: "2.0", id: this.#lastId, method, params }), headers, timeoutMs);
  }

  /** Posts a body. Rejects if the connection breaks, or there is no response in time. */
  async post(body: string, headers: Record<string, string> = {}, timeoutMs = 60_000): Promise<Reply> {
    const sending = request({
      host: "127.0.0.1",
      port: this.#port(),
      path: "/mcp",
      method: "POST",
      agent: this.#agent,
      localAddress: this.identity.address,
      headers: { ...this.headers, ...headers, "content-length": Buffer.byteLength(body) },
    });
    const reply = new Promise<Reply>((resolve, reject) => {
      sending.on("error", reject);
      sending.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => {
          const sessionId = response.headers["mcp-session-id"] as string | undefined;
          resolve({ status: response.statusCode ?? 0, message: parseBody(text), sessionId });
        });
      });
    });
    sending.end(body);
    try {
      const settled = await withTimeout(reply, timeoutMs);
      if (settled === "timeout") throw new Error(`no response in ${timeoutMs} ms`);
      return settled;
    } finally {
      if (!sending.writableFinished) sending.destroy();
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The last message of a JSON body or an event stream. */
function parseBody(text: string): Reply["message"] {
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => data);
  const last = events.at(-1) ?? text;
  return last.startsWith("{") ? (JSON.parse(last) as Reply["message"]) : {};
}
