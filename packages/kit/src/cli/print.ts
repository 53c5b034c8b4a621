import { say } from "../terminal/say.js";
import { visible } from "../terminal/visible.js";

/** Writes a text to stdout, with a newline at its end, and resolves when it has been taken. A terminal is spared control signs. */
export function print(text: string): Promise<void> {
  if (text === "") return Promise.resolve();
  const shown = process.stdout.isTTY ? visible(text) : text;
  return say(shown);
}
