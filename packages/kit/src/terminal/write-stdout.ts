import { Failure } from "../cli/errors.js";
import { outliveReaders } from "./outlive-readers.js";

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
