import type { Server } from "../server/server.js";
import { LineWriter } from "./line-writer.js";
import { guardStdout } from "./stdout-guard.js";
import { converse } from "./streams.js";
import { within } from "./time-limit.js";

/**
 * Serves over stdin and stdout until the client is gone, and then closes the server and ends the process: a timer that a tool
 * left behind must not keep an orphan alive.
 */
export async function serveStdio(server: Server): Promise<void> {
  const write = guardStdout();
  const survive = (error: unknown) =>
    server.log({ level: "error", message: "a tool left an error behind that nobody caught", error });
  process.on("uncaughtException", survive);
  process.on("unhandledRejection", survive);
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  const { stdin, stdout } = process;
  try {
    await converse(server, { input: stdin, output: stdout }, new LineWriter(stdout, write));
    // A pack that does not close must not keep an orphan alive either.
    await within(server.limits.drainMs, () => server.close());
  } catch (error) {
    server.log({ level: "critical", message: `${server.name} cannot go on`, error });
    process.exit(1);
  }
  process.exit(0);
}

/** Ends the conversation by its input, and so in good order. A process that is asked twice goes at once. */
function stop(): void {
  const { stdin } = process;
  if (stdin.destroyed || stdin.readableEnded) process.exit(0);
  stdin.destroy();
}
