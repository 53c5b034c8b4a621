import { guardStdout } from "../stdout-guard.js";
import type { StdioFront } from "./front.js";

let front: StdioFront | undefined;

/**
 * Takes stdin and stdout for the protocol before anything else is loaded. Whatever ends the process until `serveStdio` serves,
 * requests that wait are answered with the reason.
 */
export async function takeStdio(): Promise<StdioFront> {
  // A person who asks for help on a terminal should see it.
  if (!process.stdout.isTTY) guardStdout();
  const { openFront } = await import("./front.js");
  front ??= openFront();
  return front;
}

/** There is a server now, which says its own last words. */
export function leaveFront(): void {
  front?.close();
  front = undefined;
}
