import { parseJson } from "../jsonrpc/messages.js";
import { deferred } from "./deadline.js";
import { ConnectionError, connectionLost } from "./errors.js";
import { resolveHeaders } from "./http-request.js";
import type { ClientTransport, TransportContext } from "./transport.js";

const CLOSE_GRACE_MS = 2000;

/** Opens a WebSocket transport, with one message per frame. After a 401 it is called again with the server's challenge. */
export async function openWebSocket(
  url: string,
  context: TransportContext,
  challenge?: string,
): Promise<ClientTransport> {
  const { connection, signal, maxBytes, http } = context;
  const { WebSocket } = await import("ws");
  const token = typeof http.token === "function" ? await http.token(challenge) : http.token;
  const socket = new WebSocket(url, ["mcp"], {
    maxPayload: maxBytes,
    perMessageDeflate: false,
    headers: await resolveHeaders(http, token),
  });
  signal.addEventListener("abort", () => socket.terminate());
  const opened = deferred<string | undefined>();
  socket.once("open", () => opened.resolve(undefined));
  socket.once("unexpected-response", (_request, { statusCode: status = 0, headers }) => {
    const newChallenge = headers["www-authenticate"];
    const detail = `The server at ${url} did not open a WebSocket: HTTP status ${status}`;
    if (status === 401 && challenge === undefined && typeof http.token === "function")
      opened.resolve(newChallenge ?? "");
    else opened.reject(new ConnectionError(detail, { status, challenge: newChallenge }));
    socket.terminate();
  });
  socket.once("error", (cause) => {
    const message = `Cannot open a WebSocket to ${url}: ${cause.message}. Is the server running?`;
    opened.reject(new ConnectionError(message, { cause }));
  });
  const newChallenge = await opened.promise;
  if (newChallenge !== undefined) return openWebSocket(url, context, newChallenge);

  let errorDetail = "";
  socket.on("error", ({ message }) => {
    errorDetail = `: ${message}`;
  });
  const closed = deferred<void>();
  socket.on("close", (code, reason) => {
    const detail = `${errorDetail}${reason.length > 0 ? `: ${reason.toString()}` : ""}`;
    connection.onClose(
      connectionLost(`The WebSocket to ${url} was closed with code ${code}${detail}. Connect again to continue`),
    );
    closed.resolve();
  });
  socket.on("message", (frame, isBinary) => {
    if (isBinary) return;
    try {
      connection.onMessage(parseJson((frame as Buffer).toString()));
    } catch (error) {
      socket.close(1007);
      connection.onClose(connectionLost(`The server at ${url} sent invalid JSON: ${(error as Error).message}`));
    }
  });
  return {
    send: (message) => socket.send(JSON.stringify(message), () => undefined),
    close: () => {
      socket.close(1000);
      const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
      return closed.promise.finally(() => clearTimeout(timer));
    },
  };
}
