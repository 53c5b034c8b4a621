import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { Message } from "./request-tracker.js";

/** The response to a POST or GET; messages are delivered as they arrive. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Resolves when the response ends; false if the connection failed. */
  readonly isComplete: Promise<boolean>;
}

/** An HTTP request that can be aborted at any time. */
export interface HttpCall {
  readonly response: Promise<HttpResponse | undefined>;
  readonly abort: () => void;
}

/** Receives each message, with the id of its event if there is one. */
export type OnMessage = (message: Message, eventId: string | undefined) => void;

export interface Endpoint {
  readonly url: URL;
  readonly agent: Agent;
}

const ACCEPT = { accept: "application/json, text/event-stream" };

/** Sends a message, or opens a stream if there is none. */
export function send(
  endpoint: Endpoint,
  headers: Message,
  message: Message | undefined,
  onMessage: OnMessage,
  method = "POST",
): HttpCall {
  const body = message === undefined ? undefined : Buffer.from(JSON.stringify(message));
  const sent = request(endpoint.url, {
    agent: endpoint.agent,
    method,
    headers: {
      ...ACCEPT,
      ...(body && { "content-type": "application/json", "content-length": body.length }),
      ...(headers as Record<string, string>),
    },
  });
  let isAborted = false;
  const pending = new Promise<HttpResponse | undefined>((resolve) => {
    sent.on("response", (incoming) => {
      const isComplete = read(incoming, onMessage, () => isAborted);
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, isComplete });
    });
    sent.on("error", () => resolve(undefined));
  });
  sent.end(body);
  const abort = (): void => {
    isAborted = true;
    sent.destroy();
  };
  return { response: pending, abort };
}

function read(response: IncomingMessage, onMessage: OnMessage, isAborted: () => boolean): Promise<boolean> {
  const isStream = response.headers["content-type"] === "text/event-stream";
  let rest = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    rest += chunk;
    if (!isStream) return;
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) readEvent(event, onMessage);
  });
  return new Promise((resolve) => {
    response.on("error", () => resolve(false));
    response.on("close", () => {
      // After an abort, the end of the body may have been read without its messages having been delivered.
      const isComplete = response.complete && !isAborted();
      if (isComplete && !isStream && rest !== "") onMessage(JSON.parse(rest) as Message, undefined);
      resolve(isComplete);
    });
  });
}

/** The server writes each message on one line. */
function readEvent(event: string, onMessage: OnMessage): void {
  const fields = new Map(
    event.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const data = fields.get("data");
  if (data !== undefined && data !== "") onMessage(JSON.parse(data) as Message, fields.get("id"));
}
