import { parse } from "../jsonrpc/codec.js";
import type { JsonObject } from "../jsonrpc/json.js";
import type { Channel, Ear, SpokenRevision } from "./channel.js";
import { broken, ConnectionFailed } from "./errors.js";
import { Courier, type HttpAccess, readEvents, typeOf } from "./http-courier.js";
import type { Place } from "./sse-reader.js";

/** Opens a channel of the older kind: one event stream for all that the server says, and an address for what it is told. */
export async function openHttpSse(
  url: string,
  access: HttpAccess,
  mostBytes: number,
  ear: Ear,
  giveUp: AbortSignal,
): Promise<Channel> {
  const courier = new Courier(access);
  const closing = new AbortController();
  giveUp.addEventListener("abort", () => closing.abort());
  const letter = { method: "GET", headers: { accept: "text/event-stream" }, signal: closing.signal } as const;
  const stream = await courier.send(url, letter);
  if (!stream.ok || typeOf(stream) !== "text/event-stream") {
    closing.abort();
    const { status } = stream;
    const challenge = stream.headers.get("www-authenticate") ?? undefined;
    throw new ConnectionFailed(`The server at ${url} opens no event stream: HTTP status ${status}`, {
      status,
      challenge,
    });
  }
  const endpoint = await firstEndpoint(url, stream, mostBytes, ear);
  let revision: SpokenRevision | undefined;

  const post = async (message: JsonObject): Promise<void> => {
    const headers = {
      "content-type": "application/json",
      ...(revision && { "mcp-protocol-version": revision.version }),
    };
    const body = JSON.stringify(message);
    const response = await courier.send(endpoint, { method: "POST", headers, body, signal: closing.signal });
    await response.body?.cancel();
    const { status, ok } = response;
    if (!ok)
      throw new ConnectionFailed(`The server at ${endpoint} refused the message with HTTP status ${status}`, {
        status,
      });
  };
  return {
    send: (message) =>
      post(message).catch((error: unknown) => {
        if (typeof message["method"] !== "string" || message["id"] === undefined) throw error;
        ear.fail(message["id"] as number, error as Error);
      }),
    agree: (agreed) => {
      revision = agreed;
    },
    close: async () => closing.abort(),
  };
}

/** Reads the stream on and on; resolves with the address that its first event gives. */
function firstEndpoint(url: string, stream: Response, mostBytes: number, ear: Ear): Promise<string> {
  const place: Place = { id: undefined, retryMs: 0 };
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      reject(error);
      ear.broke(error);
    };
    readEvents(stream, mostBytes, place, ({ event, data }) => {
      if (event === "message") ear.hear(parse(data));
      if (event !== "endpoint") return;
      const endpoint = new URL(data, url);
      // What gives access to one server must not be carried to another.
      if (endpoint.origin === new URL(url).origin) resolve(endpoint.href);
      else reject(new ConnectionFailed(`The server at ${url} wants messages sent elsewhere: ${endpoint.href}`));
    }).then(() => fail(broken(`The server at ${url} has ended its event stream. Connect again to go on`)), fail);
  });
}
