import type { Message } from "./bridge.js";

const META = "io.modelcontextprotocol/";

type Members = Readonly<Record<string, unknown>>;

/** What came back for a POST: its status, what was said before the answer, and the answer. */
export interface Heard {
  readonly status: number;
  readonly before: readonly Message[];
  readonly answer: Message | undefined;
}

/** Speaks to a server by hand, and shows what came back as it was. */
export class Visitor {
  readonly #url: string;
  readonly #capabilities: Members;
  #session: Readonly<Record<string, string>> = {};
  #lastId = 0;

  constructor(url: string, capabilities: Members) {
    this.#url = url;
    this.#capabilities = capabilities;
  }

  /** Opens a session in a revision with a handshake. */
  async enter(protocolVersion: string): Promise<Message | undefined> {
    const clientInfo = { name: "visitor", version: "1.0.0" };
    const params = { protocolVersion, capabilities: this.#capabilities, clientInfo };
    const response = await this.#post({ jsonrpc: "2.0", id: 0, method: "initialize", params }, {});
    const id = response.headers.get("mcp-session-id");
    this.#session = { "mcp-protocol-version": protocolVersion, ...(id !== null && { "mcp-session-id": id }) };
    const answer = (await readMessages(response)).at(-1);
    await this.#post({ jsonrpc: "2.0", method: "notifications/initialized" }, this.#session);
    return answer;
  }

  /** A request of the session. */
  async ask(method: string, params: Members = {}): Promise<Heard> {
    this.#lastId += 1;
    return toHeard(await this.#post({ jsonrpc: "2.0", id: this.#lastId, method, params }, this.#session));
  }

  /** A request that stands alone, in the newest revision. */
  async askAlone(method: string, params: Members = {}): Promise<Heard> {
    return toHeard(await this.#postAlone(method, params));
  }

  /** Listens to what the session is told apart from answers, until a notification of this name comes. */
  async hearInSession(method: string, meanwhile: () => Promise<unknown>): Promise<Message | undefined> {
    const headers = { ...this.#session, accept: "text/event-stream" };
    return hear(await fetch(this.#url, { headers }), method, meanwhile);
  }

  /** Listens on a stream of its own, in the newest revision, until a notification of this name comes. */
  async hearAlone(
    notifications: Members,
    method: string,
    meanwhile: () => Promise<unknown>,
  ): Promise<Message | undefined> {
    return hear(await this.#postAlone("subscriptions/listen", { notifications }), method, meanwhile);
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

async function toHeard(response: Response): Promise<Heard> {
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

async function hear(
  response: Response,
  method: string,
  meanwhile: () => Promise<unknown>,
): Promise<Message | undefined> {
  const acted = meanwhile();
  let text = "";
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece;
    // Events end with an empty line; what comes after the last one may be half of one.
    const found = toMessages(text.slice(0, text.lastIndexOf("\n\n") + 1)).find((message) => message.method === method);
    if (found === undefined) continue;
    await acted;
    return found;
  }
  return undefined;
}
