import { Failure } from "../cli/errors.js";
import { outliveReaders } from "./outlive-readers.js";

/** Writes to stdout, and resolves when it has been taken or nobody reads it any more. Throws `Failure` where it is lost. */
export function writeStdout(content: string | Uint8Array): Promise<void> {
  outliveReaders();
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => {
      if (error === undefined || error === null || isLeft(error)) return resolve();
      reject(new Failure(`Cannot write to stdout: ${error.message}`, 1, error));
    });
  });
}

const isLeft = ({ code }: NodeJS.ErrnoException): boolean => code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
