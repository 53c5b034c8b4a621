import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Open } from "./bridge.js";

const main = fileURLToPath(new URL("../../examples/everything/main.mjs", import.meta.url));

/** How the example server is started on stdin and stdout. */
export const everything: readonly string[] = [process.execPath, main];

/** Starts the example server on a free port. */
export async function serveEverything(...flags: readonly string[]): Promise<Open> {
  const child = spawn(process.execPath, [main, "--http", "0", ...flags], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "close");
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [found] = /http:\S+(?=\n)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on("error", reject);
    void ended.then(() => reject(new Error(`The example server ended before it listened: ${said}`)));
  });
  return {
    url: url.replace("127.0.0.1", "localhost"),
    async close() {
      child.kill();
      await ended;
    },
  };
}
