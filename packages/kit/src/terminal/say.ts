import { outliveReaders } from "./outlive-readers.js";
import { visible } from "./visible.js";
import { writeStdout } from "./write-stdout.js";

/** Writes to stdout, and resolves when it has been taken. */
export const say = (text: string): Promise<void> => writeStdout(text.endsWith("\n") ? text : `${text}\n`);

/** Writes JSON to stdout. A terminal is spared nothing: control signs are written as escapes. */
export const sayJson = (value: unknown): Promise<void> => say(JSON.stringify(value, null, 2));

/** Says something beside the result, which goes to stderr. */
export function remark(text: string): void {
  outliveReaders();
  process.stderr.write(`${visible(text)}\n`);
}
