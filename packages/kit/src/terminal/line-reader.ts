import readline from "node:readline/promises";

/** Asks for lines at the terminal; undefined = whoever sits there has ended the input, or nobody waits for it any more. */
export interface LineReader {
  ask(prompt: string): Promise<string | undefined>;
  close(): void;
}

/** Opens the terminal for questions. Ctrl-C is for the whole call, as it is at any other time. */
export function openLineReader(signal: AbortSignal | undefined): LineReader {
  const { stdin: input, stderr: output } = process;
  const lines = readline.createInterface({ input, output, terminal: true });
  const closed = new Promise<undefined>((resolve) => void lines.once("close", () => resolve(undefined)));
  const close = (): void => lines.close();
  lines.on("SIGINT", () => process.emit("SIGINT"));
  if (signal?.aborted) close();
  signal?.addEventListener("abort", close, { once: true });
  return {
    // A question that is open when the input ends is never answered, or fails, by the age of Node.
    ask: (prompt) =>
      Promise.race([
        closed,
        lines.question(prompt).catch((error: unknown) => {
          if ((error as Error).name === "AbortError") return undefined;
          throw error;
        }),
      ]),
    close: () => {
      signal?.removeEventListener("abort", close);
      close();
    },
  };
}
