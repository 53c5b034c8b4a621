import { parse } from "../jsonrpc/codec.js";
import type { Channel, Ear } from "./channel.js";
import { broken, ConnectionFailed } from "./errors.js";
import type { HttpAccess } from "./http-courier.js";

const GRACE_MS = 2000;

/** Opens a channel over a WebSocket, a message a frame. `refused` is the challenge of a server that took no token before. */
export async function openWebSocket(
  url: string,
  access: HttpAccess,
  mostBytes: number,
  ear: Ear,
  giveUp: AbortSignal,
  refused?: string,
): Promise<Channel> {
  const { WebSocket } = await import("ws");
  const { headers, token } = access;
  const shown = typeof token === "function" ? await token(refused) : token;
  const socket = new WebSocket(url, ["mcp"], {
    maxPayload: mostBytes,
    perMessageDeflate: false,
    headers: {
      ...(typeof headers === "function" ? await headers() : headers),
      ...(shown !== undefined && { authorization: `Bearer ${shown}` }),
    },
  });
  giveUp.addEventListener("abort", () => socket.terminate());
  const challenged = await new Promise<string | undefined>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once(
      "unexpected-response",
      (_request, { statusCode: status = 0, headers: { "www-authenticate": challenge } }) => {
        const words = `The server at ${url} opens no WebSocket: HTTP status ${status}`;
        if (status === 401 && refused === undefined && typeof token === "function") resolve(challenge ?? "");
        else reject(new ConnectionFailed(words, { status, challenge }));
        socket.terminate();
      },
    );
    socket.once("error", (cause) =>
      reject(
        new ConnectionFailed(`Cannot open a WebSocket to ${url}: ${cause.message}. Is the server running?`, { cause }),
      ),
    );
  });
  if (challenged !== undefined) return openWebSocket(url, access, mostBytes, ear, giveUp, challenged);
  let why = "";
  socket.on("error", ({ message }) => {
    why = `: ${message}`;
  });
  const closed = new Promise<void>((resolve) => {
    socket.on("close", (code, reason) => {
      const words = `${why}${reason.length > 0 ? `: ${reason.toString()}` : ""}`;
      ear.broke(broken(`The WebSocket to ${url} was closed with code ${code}${words}. Connect again to go on`));
      resolve();
    });
  });
  socket.on("message", (frame, isBinary) => {
    if (isBinary) return;
    try {
      ear.hear(parse((frame as Buffer).toString()));
    } catch (error) {
      socket.close(1007);
      ear.broke(broken(`The server at ${url} sent what cannot be read: ${(error as Error).message}`));
    }
  });
  return {
    send: (message) => socket.send(JSON.stringify(message), () => undefined),
    close: () => {
      socket.close(1000);
      const timer = setTimeout(() => socket.terminate(), GRACE_MS);
      return closed.finally(() => clearTimeout(timer));
    },
  };
}
