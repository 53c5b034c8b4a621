import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** The stream that `ws` takes for the socket: it gets what is pushed into it, and what it writes goes out between messages. */
export function createBeside(socket: Socket): Duplex {
  const beside = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      socket.write(chunk);
      done();
    },
    // A frame is two chunks that nothing may come between.
    writev: (chunks, done) => {
      socket.cork();
      for (const { chunk } of chunks) socket.write(chunk as Buffer);
      socket.uncork();
      done();
    },
    final: (done) => void socket.end(() => done()),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on("end", () => beside.push(null));
  socket.on("close", () => beside.destroy());
  return beside;
}
