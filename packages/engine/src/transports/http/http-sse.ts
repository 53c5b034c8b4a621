import { randomUUID } from "node:crypto";
import { parseError } from "../../jsonrpc/errors.js";
import type { OpenSession, TransportLink } from "../../server/link.js";
import { readNarrowing } from "../../server/lists/narrowing.js";
import type { Server } from "../../server/server.js";
import type { Arrival } from "./arrival.js";
import type { EventStream, EventStreams } from "./event-streams.js";
import type { SsePlace } from "./options.js";
import { refuse, refuseStream } from "./refusals.js";
import { isStandalone } from "./standalone.js";

/** A conversation over two endpoints: it lives as long as its stream. */
interface Conversation extends TransportLink {
  readonly session: OpenSession;
}

/** The two endpoints of the oldest revision: a stream with all that the server says, and an address for what the client says. */
export class HttpSse {
  readonly #server: Server;
  readonly #paths: SsePlace;
  readonly #streams: EventStreams;
  readonly #conversations = new Map<string, Conversation>();
  #unanswered = 0;
  #onAnswered: (() => void) | undefined;

  constructor(server: Server, paths: SsePlace, streams: EventStreams) {
    this.#server = server;
    this.#paths = paths;
    this.#streams = streams;
  }

  isAt(path: string): boolean {
    return path === this.#paths.path || path === this.#paths.messagePath;
  }

  /** Answers a request at one of the two; `read` reads a body that may be a message. */
  serve(arrival: Arrival, read: (done: (text: string | undefined) => void) => void): void {
    const { request, reply } = arrival;
    if (request.path === this.#paths.path) {
      if (request.method === "GET") this.#open(arrival);
      else refuse(reply, 405, "this is an event stream: open it with GET", { allow: "GET" });
    } else if (request.method === "POST") this.#hear(arrival, read);
    else refuse(reply, 405, "messages are sent with POST", { allow: "POST" });
  }

  /** Ends what lasts, and resolves when nothing is served any more. */
  async drain(): Promise<void> {
    for (const { session } of this.#conversations.values()) session.end();
    if (this.#unanswered === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAnswered = resolve;
    });
  }

  close(): void {
    for (const { session } of this.#conversations.values()) session.close();
    this.#conversations.clear();
  }

  #open(arrival: Arrival): void {
    const { reply, verified, accepted } = arrival;
    if (!accepted.stream) return refuse(reply, 406, "this is an event stream: accept text/event-stream");
    if (this.#streams.isFull) return refuseStream(reply);
    const id = randomUUID();
    const stream: EventStream = this.#streams.open(arrival, () => this.#end(id));
    const send = (message: string): void => stream.message(message);
    const session = this.#server.openSession(send, () => {
      stream.end();
      this.#end(id);
    });
    const answer = (message: string | undefined): void => {
      if (message !== undefined) send(message);
      this.#unanswered -= 1;
      if (this.#unanswered === 0) this.#onAnswered?.();
    };
    const { principal, scopes } = verified;
    this.#conversations.set(id, { session, transport: "sse", sessionId: id, principal, scopes, send, answer });
    stream.write(`event: endpoint\ndata: ${this.#paths.prefix}${this.#paths.messagePath}?sessionId=${id}\n\n`);
  }

  #hear({ request, reply, verified }: Arrival, read: (done: (text: string | undefined) => void) => void): void {
    const id = new URLSearchParams(request.query).get("sessionId") ?? "";
    const conversation = this.#conversations.get(id);
    if (conversation === undefined || conversation.principal !== verified.principal)
      return refuse(reply, 404, `there is no such conversation; open one with GET ${this.#paths.path}`);
    read((text) => {
      if (isStandalone(text))
        return refuse(reply, 400, "only clients with a handshake are served here; open a conversation with initialize");
      reply.send(202, {});
      this.#unanswered += 1;
      const link: TransportLink = {
        ...conversation,
        scopes: verified.scopes,
        get narrowing() {
          return readNarrowing(request);
        },
        get headers() {
          return request.headers;
        },
      };
      if (text === undefined) this.#server.refuse(parseError("the body is not valid UTF-8"), link);
      else this.#server.receive(text, link);
    });
  }

  #end(id: string): void {
    this.#conversations.get(id)?.session.close();
    this.#conversations.delete(id);
  }
}
