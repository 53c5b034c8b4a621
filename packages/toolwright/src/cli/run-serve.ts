import { ConfigError } from "../config/config.js";

/** Takes stdin and stdout before it loads what it serves: a client hears why that cannot be done. */
export async function runServe(words: readonly string[], version: string): Promise<void> {
  const isForOthers = words.some((word) => /^--(?:http|ws|socket)(?:=|$)/.test(word)) && !words.includes("--stdio");
  const { guardStdio } = await import("@toolwright/engine/transport");
  const front = isForOthers ? undefined : guardStdio();
  try {
    const { serve } = await import("./serve.js");
    await serve(words, version, front);
  } catch (error) {
    // A client gets it in one line.
    front?.fail(error instanceof ConfigError ? new Error(error.line) : error);
    throw error;
  }
}
