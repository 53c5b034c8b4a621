import { fstatSync } from "node:fs";
import type { Running } from "./running.js";

/** Has the configuration read again whenever the process gets SIGHUP; one whose terminal is gone ends. */
export function onHangUp(running: Running): void {
  // There it means that the console is closed, and that the process has seconds to live.
  if (process.platform === "win32") return;
  // A terminal is a device, and most servers have pipes: for them what knows terminals is not even loaded.
  const devices = [0, 1, 2].filter((descriptor) => fstatSync(descriptor).isCharacterDevice());
  const isTerminal = (descriptor: number): boolean => process.getBuiltinModule("node:tty").isatty(descriptor);
  const terminals = devices.filter(isTerminal);
  let last: Promise<void> = Promise.resolve();
  process.on("SIGHUP", () => {
    if (!terminals.every(isTerminal)) process.kill(process.pid, "SIGTERM");
    else last = last.then(() => reloadStarted(running));
  });
}

async function reloadStarted(running: Running): Promise<void> {
  try {
    await running.server.start();
    const { reload } = await import("./reload.js");
    await reload(running);
  } catch (error) {
    running.server.log({ level: "error", message: "the configuration could not be read again", error });
  }
}
