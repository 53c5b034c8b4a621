import { isatty } from "node:tty";
import type { Running } from "./running.js";

/** Has the configuration read again whenever the process gets SIGHUP; one whose terminal is gone ends. */
export function onHangUp(running: Running): void {
  // There it means that the console is closed, and that the process has seconds to live.
  if (process.platform === "win32") return;
  const terminals = [0, 1, 2].filter(isatty);
  let last: Promise<void> = Promise.resolve();
  process.on("SIGHUP", () => {
    if (terminals.some((terminal) => !isatty(terminal))) process.kill(process.pid, "SIGTERM");
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
