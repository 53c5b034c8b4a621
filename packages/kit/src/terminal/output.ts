import { randomBytes } from "node:crypto";
import { accessSync, constants, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "../cli/errors.js";
import { visible } from "./text.js";

/** Throws if a file cannot be written, before hours of work are lost. */
export function checkWritable(file: string): void {
  try {
    const old = statSync(file, { throwIfNoEntry: false });
    if (old?.isDirectory()) throw new Error("it is a folder");
    accessSync(old === undefined || old.isFile() ? path.dirname(path.resolve(file)) : file, constants.W_OK);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

/** Writes a file atomically. If that fails, the program exits with `code`. */
export function writeOut(file: string, text: string | Uint8Array, code = 2): void {
  let temporary: string | undefined;
  try {
    const old = statSync(file, { throwIfNoEntry: false });
    // A device or a pipe has no old content, and must not be replaced by a file.
    if (old !== undefined && !old.isFile()) return writeFileSync(file, text);
    const place = old === undefined ? path.resolve(file) : realpathSync(file);
    temporary = path.join(path.dirname(place), `.toolwright-${randomBytes(8).toString("hex")}.tmp`);
    // This is synchronous, so a signal is handled only after it.
    writeFileSync(temporary, text, { flag: "wx", ...(old && { mode: old.mode }) });
    renameSync(temporary, place);
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    throw cannotWrite(file, error, code);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder",
  ENOTDIR: "what should be its folder is a file",
  ENOENT: "its folder does not exist",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};

function cannotWrite(file: string, error: unknown, exitCode = 2): Failure {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new Failure(`Cannot write ${JSON.stringify(file)}: ${REASONS[code] ?? message}`, exitCode, error);
}

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

/** Writes to stdout, and resolves when it is written or the reader has exited. Throws `Failure` if that fails. */
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
