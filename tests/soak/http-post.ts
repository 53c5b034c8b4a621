import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { Message } from "./ledger.js";

/** What a POST or a GET is answered with, message by message as they come. */
export interface Answering {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Resolves at the end; false = the connection broke. */
  readonly isWhole: Promise<boolean>;
}

/** One request over HTTP that can be given up at any time. */
export interface Sent {
  readonly answering: Promise<Answering | undefined>;
  readonly abort: () => void;
}

/** Hears each message, with the id of its event where it has one. */
export type Hear = (message: Message, eventId: string | undefined) => void;

export interface Place {
  readonly url: URL;
  readonly agent: Agent;
}

const ACCEPT = { accept: "application/json, text/event-stream" };

/** Sends a message, or without one opens a stream. */
export function send(place: Place, headers: Message, message: Message | undefined, hear: Hear, method = "POST"): Sent {
  const body = message === undefined ? undefined : Buffer.from(JSON.stringify(message));
  const sent = request(place.url, {
    agent: place.agent,
    method,
    headers: {
      ...ACCEPT,
      ...(body && { "content-type": "application/json", "content-length": body.length }),
      ...(headers as Record<string, string>),
    },
  });
  let isAborted = false;
  const answering = new Promise<Answering | undefined>((resolve) => {
    sent.on("response", (response) => {
      const isWhole = read(response, hear, () => isAborted);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, isWhole });
    });
    sent.on("error", () => resolve(undefined));
  });
  sent.end(body);
  const abort = (): void => {
    isAborted = true;
    sent.destroy();
  };
  return { answering, abort };
}

function read(response: IncomingMessage, hear: Hear, isAborted: () => boolean): Promise<boolean> {
  const isStream = response.headers["content-type"] === "text/event-stream";
  let rest = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    rest += chunk;
    if (!isStream) return;
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) readEvent(event, hear);
  });
  return new Promise((resolve) => {
    response.on("error", () => resolve(false));
    response.on("close", () => {
      // Of what came together with the reason to go, the end may have been seen, and yet not been heard.
      const isWhole = response.complete && !isAborted();
      if (isWhole && !isStream && rest !== "") hear(JSON.parse(rest) as Message, undefined);
      resolve(isWhole);
    });
  });
}

/** The server writes a message on one line. */
function readEvent(event: string, hear: Hear): void {
  const fields = new Map(
    event.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const said = fields.get("data");
  if (said !== undefined && said !== "") hear(JSON.parse(said) as Message, fields.get("id"));
}
