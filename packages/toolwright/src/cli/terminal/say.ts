import { visible } from "./visible.js";

/** Writes to stdout, and resolves when it has been taken. */
export function say(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`, () => resolve());
  });
}

/** Writes JSON to stdout. A terminal is spared nothing: control signs are written as escapes. */
export const sayJson = (value: unknown): Promise<void> => say(JSON.stringify(value, null, 2));

/** Says something beside the result, which goes to stderr. */
export function remark(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}
