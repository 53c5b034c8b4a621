import { endChildren } from "../children/living.js";
import { watchStrays } from "../children/strays.js";
import { createLog } from "../server/log.js";
import type { Server } from "../server/server.js";
import { surviveLeftBehind } from "./left-behind.js";
import { LineWriter } from "./line-writer.js";
import { Ending } from "./stdio/ending.js";
import { awaitRead } from "./stdio/farewell.js";
import { watchParent } from "./stdio/parent-watch.js";
import { leaveFront, takeStdio } from "./stdio/take-stdio.js";
import { guardStdout } from "./stdout-guard.js";
import { Conversation } from "./streams.js";
import { within } from "./time-limit.js";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Makes a server, and loads what it needs. */
export type ServerLoader = () => Server | Promise<Server>;

/**
 * Serves over stdin and stdout until the client is gone, then closes the server and ends the process, whatever a tool left
 * behind. Given a function, it takes stdin and stdout before it calls it; where that fails, or the server cannot start, or the
 * process ends later, requests are answered with the reason.
 */
export async function serveStdio(given: Server | ServerLoader): Promise<void> {
  const write = guardStdout();
  const server = typeof given === "function" ? await load(given) : given;
  const { stdin, stdout } = process;
  const conversation = new Conversation(
    server,
    { input: stdin, output: stdout },
    new LineWriter(stdout, write),
    "stdio",
  );
  const ending = new Ending(server, conversation);
  leaveFront();
  surviveLeftBehind(server);
  for (const signal of SIGNALS) process.on(signal, () => ending.stop());
  process.on("SIGHUP", () => {
    // For many it means to read the configuration again.
    if (process.listenerCount("SIGHUP") === 1) ending.stop();
  });
  watchParent(() => conversation.breakOff());
  watchStrays();
  try {
    await conversation.run();
    // A pack that does not close must not keep an orphan alive either.
    await within(server.limits.drainMs, () => server.close());
    await endChildren();
  } catch (error) {
    server.log({ level: "critical", message: `${server.name} cannot go on`, error });
    await ending.explain(error);
    if (!conversation.hasBegun) await awaitRead();
    process.exit(1);
  }
  process.exit(0);
}

/** Loads a server while the client may already speak, or go. */
async function load(make: ServerLoader): Promise<Server> {
  const front = await takeStdio();
  const { stdin } = process;
  const look = (): void => void stdin.read(0);
  const gone = (): void => process.exit(0);
  stdin.on("readable", look).on("end", gone).on("close", gone);
  // What waits for nothing ends, as it would without a client.
  stdin.unref?.();
  for (const signal of SIGNALS) process.on(signal, gone);
  try {
    const server = await make();
    if (typeof server?.receive === "function") return server;
    throw new TypeError("Cannot serve: what was loaded is no server; give what createServer gives");
  } catch (error) {
    createLog()({ level: "critical", message: `the server cannot start: ${front.fail(error)}`, error });
    await awaitRead();
    return process.exit(1);
  } finally {
    stdin.ref?.();
    stdin.off("readable", look).off("end", gone).off("close", gone);
    for (const signal of SIGNALS) process.off(signal, gone);
  }
}
