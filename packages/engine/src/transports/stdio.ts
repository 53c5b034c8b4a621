import type { Readable, Writable } from "node:stream";
import type { Link } from "../server/link.js";
import type { Server } from "../server/server.js";
import { LineWriter } from "./line-writer.js";
import { LineReader } from "./lines.js";
import { guardStdout } from "./stdout-guard.js";

/** Streams to use in place of the process's own; then the process is left alone. */
export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves over stdin and stdout until the client is gone, and then ends the process: a timer that a tool left behind must not
 * keep an orphan alive.
 */
export async function serveStdio(server: Server, streams?: StdioOptions): Promise<void> {
  if (streams !== undefined) {
    await server.start();
    await converse(server, streams.input, streams.output, undefined);
    await server.close();
    return;
  }
  const write = guardStdout();
  const survive = (error: unknown) =>
    server.log({ level: "error", message: "a tool left an error behind that nobody caught", error });
  process.on("uncaughtException", survive);
  process.on("unhandledRejection", survive);
  try {
    await server.start();
    await converse(server, process.stdin, process.stdout, write);
    // A pack that does not close must not keep an orphan alive either.
    await within(server.limits.drainMs, () => server.close());
  } catch (error) {
    server.log({ level: "critical", message: `${server.name} cannot go on`, error });
    process.exit(1);
  }
  process.exit(0);
}

/** One conversation over a pair of streams: resolves when it is over and all that was read has been answered. */
function converse(
  server: Server,
  input: Readable,
  output: Writable,
  write: Writable["write"] | undefined,
): Promise<void> {
  return new Promise((resolve) => {
    const writer = new LineWriter(output, write);
    const session = server.openSession((message) => writer.write(message));
    let unanswered = 0;
    let isEnding = false;
    let whenAnswered: (() => void) | undefined;
    const link: Link = {
      session,
      principal: undefined,
      send: (message) => writer.write(message),
      answer(message) {
        if (message !== undefined) writer.write(message);
        unanswered -= 1;
        if (unanswered === 0) whenAnswered?.();
      },
    };
    const reader = new LineReader(server.limits.messageBytes, {
      line(text) {
        unanswered += 1;
        server.receive(text, link);
      },
      fault(error) {
        unanswered += 1;
        server.refuse(error, link);
      },
    });

    const end = async (isHeard: boolean): Promise<void> => {
      if (isEnding) return;
      isEnding = true;
      input.off("data", read);
      if (!isHeard) session.close();
      reader.end();
      session.end();
      if (unanswered > 0) {
        await within(server.limits.drainMs, () => new Promise<void>((done) => (whenAnswered = done)));
      }
      session.close();
      if (isHeard) await within(server.limits.drainMs, () => writer.flush());
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, onSignal);
      resolve();
    };
    const read = (chunk: Buffer | string): void => {
      reader.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      if (writer.isFull) input.pause();
    };
    const onSignal = (): void => {
      // Asked twice, it goes at once.
      if (isEnding) process.exit(0);
      void end(true);
    };
    input.on("data", read);
    input.on("end", () => void end(true));
    input.on("close", () => void end(true));
    input.on("error", () => void end(true));
    output.on("drain", () => input.resume());
    output.on("error", () => void end(false));
    if (write !== undefined) for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
  });
}

/** Waits for a deed, but no longer than so many milliseconds; keeps the process alive meanwhile. */
async function within(ms: number, deed: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([deed(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
