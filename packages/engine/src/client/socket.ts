import { createConnection } from "node:net";
import type { Channel, Ear } from "./channel.js";
import { broken, ConnectionFailed } from "./errors.js";
import { hearLines, sayLine } from "./lines.js";

/** Opens a channel over a Unix domain socket or a Windows named pipe, a message a line. */
export async function openSocket(path: string, mostBytes: number, ear: Ear, giveUp: AbortSignal): Promise<Channel> {
  const socket = createConnection(path);
  giveUp.addEventListener("abort", () => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", (cause) =>
      reject(
        new ConnectionFailed(`Cannot connect to the socket ${path}: ${cause.message}. Is the server running?`, {
          cause,
        }),
      ),
    );
  });
  let why = "the server closed it";
  socket.on("error", ({ message }) => {
    why = message;
  });
  const closed = new Promise<void>((resolve) => {
    socket.on("close", () => {
      ear.broke(broken(`The connection to the socket ${path} is gone: ${why}. Connect again to go on`));
      resolve();
    });
  });
  hearLines(socket, mostBytes, ear, () => undefined);
  return {
    send: (message) => sayLine(socket, message),
    close: () => {
      socket.destroySoon();
      // A server that reads no more must not hold us.
      socket.setTimeout(2000, () => socket.destroy());
      return closed;
    },
  };
}
