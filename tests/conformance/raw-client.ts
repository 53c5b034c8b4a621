import type { Message } from "./bridge.js";

const META = "io.modelcontextprotocol/";

type Members = Readonly<Record<string, unknown>>;

/** The response to a POST: its status, the messages before it, and the response message. */
export interface Received {
  readonly status: number;
  readonly before: readonly Message[];
  readonly answer: Message | undefined;
}

/** A minimal client that returns raw responses. */
export class RawClient {
  readonly #url: string;
  readonly #capabilities: Members;
  #session: Readonly<Record<string, string>> = {};
  #lastId = 0;

  constructor(url: string, capabilities: Members) {
    this.#url = url;
    this.#capabilities = capabilities;
  }

  /** Opens a session in a handshake revision. */
  async enter(protocolVersion: string): Promise<Message | undefined> {
    const clientInfo = { name: "client", version: "1.0.0" };
    const params = { protocolVersion, capabilities: this.#capabilities, clientInfo };
    const response = await this.#post({ jsonrpc: "2.0", id: 0, method: "initialize", params }, {});
    const id = response.headers.get("mcp-session-id");
    this.#session = { "mcp-protocol-version": protocolVersion, ...(id !== null && { "mcp-session-id": id }) };
    const answer = (await readMessages(response)).at(-1);
    await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" }, this.#session);
    return answer;
  }

  /** A request in the session. */
  async ask(method: string, params: Members = {}): Promise<Received> {
    this.#lastId += 1;
    return toReceived(await this.#post({ jsonrpc: "2.0", id: this.#lastId, method, params }, this.#session));
  }

  /** A stateless request, in the newest revision. */
  async askAlone(method: string, params: Members = {}): Promise<Received> {
    return toReceived(await this.#postAlone(method, params));
  }

  /** Reads the session's standalone stream until a notification of this method arrives. */
  async hearInSession(method: string, meanwhile: () => Promise<unknown>): Promise<Message | undefined> {
    const headers = { ...this.#session, accept: "text/event-stream" };
    return read(await fetch(this.#url, { headers }), method, meanwhile);
  }

  /** Opens a subscription in the newest revision and reads until a notification of this method arrives. */
  async hearAlone(
    notifications: Members,
    method: string,
    meanwhile: () => Promise<unknown>,
  ): Promise<Message | undefined> {
    return read(await this.#postAlone("subscriptions/listen", { notifications }), method, meanwhile);
  }

  #postAlone(method: string, params: Members): Promise<Response> {
    this.#lastId += 1;
    const _meta = { [`${META}protocolVersion`]: "2026-07-28", [`${META}clientCapabilities`]: this.#capabilities };
    const named = params["name"] ?? params["uri"] ?? params["taskId"];
    const headers = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof named === "string" && { "mcp-name": named }),
    };
    return this.#post({ jsonrpc: "2.0", id: this.#lastId, method, params: { ...params, _meta } }, headers);
  }

  #post(message: Message, headers: Readonly<Record<string, string>>): Promise<Response> {
    const types = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    return fetch(this.#url, { method: "POST", headers: { ...types, ...headers }, body: JSON.stringify(message) });
  }
}

async function toReceived(response: Response): Promise<Received> {
  const messages = await readMessages(response);
  return { status: response.status, before: messages.slice(0, -1), answer: messages.at(-1) };
}

async function readMessages(response: Response): Promise<readonly Message[]> {
  const text = await response.text();
  if (text === "") return [];
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true
    ? toMessages(text)
    : [JSON.parse(text) as Message];
}

function toMessages(text: string): readonly Message[] {
  return [...text.matchAll(/^data: ?(\{.*\})$/gm)].map(([, json = ""]) => JSON.parse(json) as Message);
}

async function read(
  response: Response,
  method: string,
  meanwhile: () => Promise<unknown>,
): Promise<Message | undefined> {
  const acted = meanwhile();
  let text = "";
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece;
    // Events end with an empty line; the last part may be incomplete.
    const found = toMessages(text.slice(0, text.lastIndexOf("\n\n") + 1)).find((message) => message.method === method);
    if (found === undefined) continue;
    await acted;
    return found;
  }
  return undefined;
}
