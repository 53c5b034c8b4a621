import type { Socket } from "node:net";
import { Readable, type Writable } from "node:stream";
import type { Server } from "../../server/server.js";
import { LineWriter } from "../line-writer.js";
import { Conversation } from "../streams.js";
import { within } from "../time-limit.js";

/** How long what was said last may take to leave. */
const FAREWELL_MS = 1000;

/**
 * Serves the client at the other end of a socket until it is gone. One with more than `mostBytes` waiting for it is dropped. The
 * returned function ends the conversation: nothing more is read, and what was read is answered.
 */
export function serveClient(server: Server, socket: Socket, mostBytes: number): () => void {
  // Not the socket itself, because the input has to end before the output does.
  const input = new Readable({ read: () => void socket.resume() });
  const take = (chunk: Buffer): void => {
    if (!input.push(chunk)) socket.pause();
  };
  socket.on("data", take);
  socket.on("end", () => input.push(null));
  const write: Writable["write"] = (text: string, ...rest: never[]): boolean => {
    if (socket.writableLength > mostBytes && !socket.destroyed) {
      server.log({ level: "warning", message: "a connection was dropped: its client reads too slowly" });
      socket.destroy();
    }
    return socket.write(text, ...rest);
  };
  const conversation = new Conversation(server, { input, output: socket }, new LineWriter(socket, write), "unix");
  void conversation.run().then(() => farewell(socket));
  return () => {
    socket.off("data", take);
    socket.pause();
    input.destroy();
  };
}

/** Closes a socket when the last bytes have left, or when the client does not take them. */
async function farewell(socket: Socket): Promise<void> {
  if (!socket.destroyed) {
    const gone = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    socket.destroySoon();
    await within(FAREWELL_MS, () => gone);
  }
  socket.destroy();
}
