import type { Arrival } from "./arrival.js";
import type { EventStreams } from "./event-streams.js";
import type { Denial } from "./gate.js";
import type { HttpReply, HttpRequest } from "./host.js";
import type { PageEvents, PageRequest, Pages } from "./pages.js";
import { refuse, refuseStream } from "./refusals.js";

/** Tells of a fault, whoever waits for the reply and the log. */
type Fail = (reply: HttpReply, error: unknown) => void;

/** Serves further pages beside MCP. They are within the same guard, gate, rate and limits. */
export class PageServer {
  readonly #pages: Pages;
  readonly #streams: EventStreams;
  readonly #fail: Fail;
  readonly #open = new Set<() => void>();

  constructor(pages: Pages, streams: EventStreams, fail: Fail) {
    this.#pages = pages;
    this.#streams = streams;
    this.#fail = fail;
  }

  isAt(path: string): boolean {
    return this.#pages.isAt(path);
  }

  /** Answers a request that was let in. */
  async serve(arrival: Arrival): Promise<void> {
    const { request, reply } = arrival;
    const answer = await this.#pages.serve(toPageRequest(arrival));
    if (!("open" in answer)) reply.send(answer.status, answer.headers, answer.body);
    else if (request.method !== "GET") refuse(reply, 405, "ask with GET", { allow: "GET" });
    else if (this.#streams.isFull) refuseStream(reply);
    else this.#begin(arrival, answer);
  }

  /** Ends what its pages do for streams, which the endpoint ends itself. */
  close(): void {
    for (const over of this.#open) over();
  }

  #begin(arrival: Arrival, { open }: PageEvents): void {
    let stop: () => void;
    const over = (): void => {
      if (!this.#open.delete(over)) return;
      try {
        stop();
      } catch (error) {
        this.#fail(arrival.reply, error);
      }
    };
    const stream = this.#streams.open(arrival, over);
    try {
      stop = open({
        write: (event) => stream.write(event),
        end: () => {
          stream.end();
          over();
        },
      });
    } catch (error) {
      stream.end();
      throw error;
    }
    this.#open.add(over);
    // The first events may have been too much for the client already.
    if (stream.isOver) over();
  }
}

function toPageRequest({ request, reply, verified }: Arrival): PageRequest {
  const { method, path, query } = request;
  let body: Promise<string | undefined> | undefined;
  return {
    method,
    path,
    query,
    isSecure: request.isSecure,
    principal: verified.principal,
    header: (name) => (name === "authorization" ? undefined : request.header(name)),
    read: (mostBytes) => {
      body ??= new Promise((resolve) => {
        const none = (): void => resolve(undefined);
        reply.onGone = none;
        request.read(mostBytes, resolve, none);
      });
      return body;
    },
  };
}

/**
 * A request for a page as a gate reads it. Browsers have no way to send a bearer token with a page that somebody opens, but they
 * ask for a password: a key or a token given as one is as good.
 */
export function withPassword(request: HttpRequest): HttpRequest {
  const given = /^basic +([\w+/]+=*)$/i.exec(request.header("authorization") ?? "")?.[1];
  if (given === undefined) return request;
  const pair = Buffer.from(given, "base64").toString();
  const bearer = `Bearer ${pair.slice(pair.indexOf(":") + 1)}`;
  return {
    method: request.method,
    path: request.path,
    query: request.query,
    peer: request.peer,
    isSecure: request.isSecure,
    headers: request.headers,
    header: (name) => (name === "authorization" ? bearer : request.header(name)),
    read: (mostBytes, done, tooLarge) => request.read(mostBytes, done, tooLarge),
  };
}

/** The challenge by which a browser asks its user for a password; undefined where a password is no answer. */
export const passwordChallenge = ({ status }: Denial): string | undefined =>
  status === 401 ? 'Basic realm="a key or token, as the password", charset="UTF-8"' : undefined;
