import { spawn } from "node:child_process";
import { once } from "node:events";

/** A server program that listens at a port. */
export interface Listening {
  readonly url: string;
  /** All that it has written to stderr. */
  stderr(): string;
  isRunning(): boolean;
  /** Tells it to end, and gives its exit code. */
  close(): Promise<number | null>;
}

/** Starts a program, perhaps with words of its own, that says on stderr where it listens. */
export async function startListening(
  program: string | readonly string[],
  ...flags: readonly string[]
): Promise<Listening> {
  const args = [...[program].flat(), "--http", "0", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "close") as Promise<[number | null]>;
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const [found] = /http:\S+(?=\n)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on("error", reject);
    void ended.then(() => reject(new Error(`The server ended before it listened: ${said}`)));
  });
  return {
    url,
    stderr: () => said,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async close() {
      child.kill();
      return (await ended)[0];
    },
  };
}
