import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { listen, type Message, type Open, readBody, toEvent } from "./bridge.js";
import type { OpenPipe, Pipe } from "./pipes.js";

/** The state of one client. */
class Passage {
  readonly id = randomUUID();
  /** The streams that wait for a response, by request id. */
  readonly waiting = new Map<unknown, ServerResponse>();
  standing: ServerResponse | undefined;
  pipe: Pipe | undefined;

  /** Responses go to the requester; everything else to the newest pending request, or to the standalone stream. */
  deliver(message: Message): void {
    const asker = message.method === undefined ? this.waiting.get(message.id) : undefined;
    const stream = asker ?? [...this.waiting.values()].at(-1) ?? this.standing;
    stream?.write(toEvent(message));
    if (asker === undefined) return;
    asker.end();
    this.waiting.delete(message.id);
  }
}

/** A bridge for servers without Streamable HTTP, in revisions with sessions. */
export async function bridgeSessions(open: OpenPipe): Promise<Open> {
  const passages = new Map<string, Passage>();
  const bridge = await listen((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = request.headers["mcp-session-id"];
    const known = passages.get(String(id));
    if (id !== undefined && known === undefined) response.writeHead(404).end();
    else if (request.method === "DELETE") end(known, response);
    else if (request.method === "GET") stand(known, response);
    else await pass(JSON.parse(await readBody(request)) as Message, known, request, response);
  }

  function end(known: Passage | undefined, response: ServerResponse): void {
    known?.pipe?.close();
    passages.delete(known?.id ?? "");
    response.writeHead(200).end();
  }

  function stand(known: Passage | undefined, response: ServerResponse): void {
    if (known === undefined) {
      response.writeHead(400).end();
      return;
    }
    known.standing = response;
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  }

  async function pass(
    message: Message,
    known: Passage | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const passage = known ?? new Passage();
    if (known === undefined) {
      const pipe = await open(request, (said) => passage.deliver(said));
      if (typeof pipe === "number") {
        response.writeHead(pipe).end();
        return;
      }
      passage.pipe = pipe;
      passages.set(passage.id, passage);
    }
    const headers = { "mcp-session-id": passage.id };
    if (message.id === undefined || message.method === undefined) {
      response.writeHead(202, headers).end();
    } else {
      response.writeHead(200, { ...headers, "content-type": "text/event-stream" }).flushHeaders();
      passage.waiting.set(message.id, response);
    }
    passage.pipe?.send(message);
  }

  return {
    url: bridge.url,
    close() {
      for (const { pipe } of passages.values()) pipe?.close();
      return bridge.close();
    },
  };
}
