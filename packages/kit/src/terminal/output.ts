import { Failure } from "../cli/errors.js";
import { visible } from "./text.js";

let isDone = false;

/** Continues the work when the reader of the output exits, as `head` does; otherwise Node ends the process with a stack trace. */
export function outliveReaders(): void {
  if (isDone) return;
  isDone = true;
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

let beforeOutput: (() => void) | undefined;

/** Registers what removes a progress bar from the terminal before something is written to stdout. */
export function clearBeforeOutput(clear: () => void): void {
  beforeOutput = clear;
}

/** Writes to stdout, and resolves when it is written or the reader has gone. Throws `Failure` if it is lost. */
export function writeStdout(content: string | Uint8Array): Promise<void> {
  outliveReaders();
  beforeOutput?.();
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => {
      if (error === undefined || error === null || isReaderGone(error)) return resolve();
      reject(new Failure(`Cannot write to stdout: ${error.message}`, 1, error));
    });
  });
}

const isReaderGone = ({ code }: NodeJS.ErrnoException): boolean => code === "EPIPE" || code === "ERR_STREAM_DESTROYED";

/** Writes a line to stdout, and resolves when it is written. */
export const say = (text: string): Promise<void> => writeStdout(text.endsWith("\n") ? text : `${text}\n`);

/** Writes JSON to stdout, which escapes control characters. */
export const sayJson = (value: unknown): Promise<void> => say(JSON.stringify(value, null, 2));

/** Writes a note to stderr. */
export function remark(text: string): void {
  outliveReaders();
  process.stderr.write(`${visible(text)}\n`);
}
