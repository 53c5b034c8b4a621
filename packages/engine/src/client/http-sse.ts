import { type JsonObject, parseJson } from "../jsonrpc/messages.js";
import { deferred } from "./deadline.js";
import { ConnectionError, connectionLost } from "./errors.js";
import { readEventStream } from "./event-stream.js";
import { challengeOf, mediaTypeOf, sendHttp } from "./http-request.js";
import type { ClientTransport, TransportContext } from "./transport.js";

/** Opens the deprecated HTTP+SSE transport: one event stream for all messages of the server, and an endpoint to post to. */
export async function openHttpSse(url: string, context: TransportContext): Promise<ClientTransport> {
  const { connection, http } = context;
  const abort = new AbortController();
  context.signal.addEventListener("abort", () => abort.abort());
  const { signal } = abort;
  const stream = await sendHttp(http, url, { method: "GET", headers: { accept: "text/event-stream" }, signal });
  if (!stream.ok || mediaTypeOf(stream) !== "text/event-stream") {
    abort.abort();
    const { status } = stream;
    throw new ConnectionError(`The server at ${url} did not open an event stream: HTTP status ${status}`, {
      status,
      challenge: challengeOf(stream),
    });
  }
  const endpoint = await readEndpoint(url, stream, context);
  let version: string | undefined;

  const post = async (message: JsonObject): Promise<void> => {
    const headers = {
      "content-type": "application/json",
      ...(version !== undefined && { "mcp-protocol-version": version }),
    };
    const body = JSON.stringify(message);
    const response = await sendHttp(http, endpoint, { method: "POST", headers, body, signal });
    await response.body?.cancel();
    const { status, ok } = response;
    if (!ok)
      throw new ConnectionError(`The server at ${endpoint} rejected the message with HTTP status ${status}`, {
        status,
      });
  };
  return {
    send: (message) =>
      post(message).catch((error: unknown) => {
        if (typeof message["method"] !== "string" || message["id"] === undefined) throw error;
        connection.onRequestError(message["id"] as number, error as Error);
      }),
    setRevision: (revision) => {
      ({ version } = revision);
    },
    close: async () => abort.abort(),
  };
}

/** Reads the stream until it ends; resolves with the endpoint that its first event names. */
function readEndpoint(url: string, stream: Response, { connection, maxBytes }: TransportContext): Promise<string> {
  const { promise, resolve, reject } = deferred<string>();
  const fail = (error: Error): void => {
    reject(error);
    connection.onClose(error);
  };
  readEventStream(stream, maxBytes, { lastEventId: undefined, retryMs: 0 }, ({ event, data }) => {
    if (event === "message") connection.onMessage(parseJson(data));
    if (event !== "endpoint") return;
    const endpoint = new URL(data, url);
    // Credentials for one server must not be sent to another.
    if (endpoint.origin === new URL(url).origin) resolve(endpoint.href);
    else reject(new ConnectionError(`The server at ${url} names an endpoint of another origin: ${endpoint.href}`));
  }).then(() => fail(connectionLost(`The server at ${url} closed its event stream. Connect again to continue`)), fail);
  return promise;
}
