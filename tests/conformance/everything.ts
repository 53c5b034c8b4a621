import { fileURLToPath } from "node:url";
import { startListening } from "../support/start-listening.js";
import type { Open } from "./bridge.js";

const main = fileURLToPath(new URL("../../examples/everything/main.mjs", import.meta.url));

/** The command that starts the example server on stdio. */
export const everything: readonly string[] = [process.execPath, main];

/** Starts the example server on a free port. */
export async function serveEverything(...flags: readonly string[]): Promise<Open> {
  const listening = await startListening(main, ...flags);
  return {
    url: listening.url.replace("127.0.0.1", "localhost"),
    close: async () => void (await listening.close()),
  };
}
