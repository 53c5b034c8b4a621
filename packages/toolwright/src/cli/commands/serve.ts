import os from "node:os";
import path from "node:path";
import { createServer, type Server, serveStdio } from "@toolwright/engine";
import { basics } from "../../packs/basics/index.js";
import { openWhenNeeded } from "../../storage/lazy-task-store.js";
import type { ServeOptions } from "../serve-options.js";
import { stateFolder } from "../state-folder.js";

/** Serves the built-in packs over every transport that was asked for, until the client is gone or the process is told to stop. */
export async function serve(options: ServeOptions, version: string): Promise<void> {
  const packs = [basics()];
  const folder = path.resolve(
    options.state ?? stateFolder({ platform: process.platform, env: process.env, home: os.homedir() }),
  );
  const store = openWhenNeeded(async () => {
    const { openTaskStore } = await import("../../storage/task-store.js");
    return openTaskStore(path.join(folder, "tasks.db"), { log: (entry) => server.log(entry) });
  });
  const server: Server = createServer({
    name: "toolwright",
    title: "Toolwright",
    version,
    packs,
    tasks: { store },
    results: { directory: path.join(folder, "results") },
  });
  // Stdio comes first: it keeps stdout clean while the packs open, and says so when one cannot.
  const served = options.stdio ? serveStdio(server) : undefined;
  if (options.http === undefined && options.ws === undefined && options.socket === undefined) await greet(server);
  else {
    const { serveListening } = await import("../serve-listening.js");
    await serveListening(server, options, packs);
  }
  await served;
}

/** Stdio says itself why a server cannot start, and ends the process. */
async function greet(server: Server): Promise<void> {
  const isOpen = await server.start().then(
    () => true,
    () => false,
  );
  if (!isOpen || !process.stdin.isTTY) return;
  const { greeting } = await import("../greeting.js");
  process.stderr.write(greeting(server));
}
