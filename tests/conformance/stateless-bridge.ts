import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { listen, type Message, type Open, readBody, toEvent } from "./bridge.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const VERSION = "io.modelcontextprotocol/protocolVersion";

type Members = Readonly<Record<string, unknown>>;

/** A POST that waits for its response, with the client's original ids and tokens. */
interface Waiting {
  readonly id: string | number;
  readonly token: unknown;
  readonly response: ServerResponse;
}

const metaOf = (members: Members | undefined) => (members?.["_meta"] ?? {}) as Members;

/** Params or a result with another `_meta`, if there is one. */
function withMeta<T extends Members | undefined>(members: T, change: Members): T {
  return members !== undefined && "_meta" in members
    ? { ...members, _meta: { ...metaOf(members), ...change } }
    : members;
}

/** The HTTP status of a response; over stdio there is none. */
function statusOf({ error }: Message): number {
  if (error === undefined || error.code === -32603) return 200;
  return error.code === -32601 ? 404 : 400;
}

/**
 * A bridge to a server on stdio, for the stateless revision. All clients share the connection, so ids are renumbered for
 * the server, and restored in the responses.
 */
export async function bridgeStateless(command: readonly string[]): Promise<Open> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map<unknown, Waiting>();
  let lastId = 0;

  const send = (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: child.stdout }).on("line", (line) => deliver(JSON.parse(line) as Message));

  function deliver(message: Message): void {
    const { method, params, result } = message;
    const meta = metaOf(params ?? result);
    const key = method === undefined ? message.id : (meta[SUBSCRIPTION] ?? params?.["progressToken"]);
    const asker = waiting.get(key) ?? [...waiting.values()].at(-1);
    if (asker === undefined) return;
    const { response } = asker;
    const named = SUBSCRIPTION in meta ? { [SUBSCRIPTION]: asker.id } : {};
    if (method !== undefined) {
      const token = params?.["progressToken"] === undefined ? {} : { progressToken: asker.token };
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(toEvent({ ...message, params: { ...withMeta(params, named), ...token } }));
      return;
    }
    waiting.delete(key);
    const answer = { ...message, id: asker.id, ...(result && { result: withMeta(result, named) }) };
    if (response.headersSent) response.end(toEvent(answer));
    else response.writeHead(statusOf(message), { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = JSON.parse(await readBody(request)) as Message;
    const meta = metaOf(message.params);
    if (message.id === undefined) {
      response.writeHead(202).end();
      send(message);
      return;
    }
    // Headers end here, so the bridge validates them.
    if (meta[VERSION] !== undefined && meta[VERSION] !== request.headers["mcp-protocol-version"]) {
      const error = { code: -32020, message: "The header and the body name different revisions." };
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, error }));
      return;
    }
    lastId += 1;
    const id = lastId;
    const token = meta["progressToken"];
    waiting.set(id, { id: message.id, token, response });
    response.on("close", () => {
      if (waiting.delete(id)) send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    });
    send({ ...message, id, params: withMeta(message.params, token === undefined ? {} : { progressToken: id }) });
  }

  const bridge = await listen((request, response) => {
    if (request.method === "POST") void pass(request, response);
    else response.writeHead(405).end();
  });
  return {
    url: bridge.url,
    close() {
      child.stdin.end();
      return bridge.close();
    },
  };
}
