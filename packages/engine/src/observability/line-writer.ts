import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import * as check from "../server/definitions/checks.js";

/** Lines are being lost, are written again after a loss, or were still being lost when the writer was closed. */
export interface LossReport {
  readonly state: "failing" | "recovered" | "closed";
  /** Lines lost since writing began to fail. */
  readonly lost: number;
  readonly error?: Error;
}

/** Options of `LineWriter`. */
export interface LineWriterOptions {
  readonly file: string;
  readonly maxBytes: number;
  /** How many full files are kept, as `file.1` (the newest), `file.2` and so on. */
  readonly oldFiles: number;
  /** Opens the file for reading and appending. */
  readonly open: (file: string) => Promise<FileHandle>;
  /** The first line of each file, and of what is appended to an existing one. */
  readonly header?: string;
  /** The line that says in the file itself how many lines are missing before it. */
  readonly formatLossLine?: (lines: number) => string;
  readonly onLoss: (report: LossReport) => void;
  /** Called when a full file cannot be renamed; the file then keeps growing. Without it lines are lost. */
  readonly onRotationError?: (error: unknown) => void;
}

/** A line that waits to be written. */
interface PendingLine {
  /** The approximate number of characters. */
  readonly length: number;
  /** Called when the line is written, not when it is added. Must not throw. */
  readonly format: () => string;
  /** Called when the line was handed to the operating system, or with the reason why it is lost. */
  readonly onWritten?: (error?: Error) => void;
}

/** Limits the memory used for pending lines when the disk is slow. */
const MAX_PENDING_CHARACTERS = 16 * 1024 * 1024;

/**
 * Writes lines to a file in the order in which they were added, in batches. A full file is renamed to `file.1`. Lines that cannot be
 * written are counted and reported.
 */
export class LineWriter {
  readonly #options: LineWriterOptions;
  readonly #header: string;
  #pending: PendingLine[] = [];
  #pendingCharacters = 0;
  #flushing: Promise<void> | undefined;
  #isClosed = false;
  /** Lines lost since writing began to fail. */
  #lost = 0;
  #handle: FileHandle | undefined;
  #hasRotationError = false;

  constructor(options: LineWriterOptions) {
    this.#options = options;
    this.#header = options.header === undefined ? "" : `${options.header}\n`;
  }

  /** Opens the file, so that errors show at the start. Returns the error, if any. */
  async open(): Promise<NodeJS.ErrnoException | undefined> {
    return this.#openFile().then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
  }

  /** Adds a line. */
  append(line: PendingLine): void {
    if (this.#isClosed) this.#drop([line], new Error("the file is closed"));
    else if (this.#pendingCharacters >= MAX_PENDING_CHARACTERS) this.#drop([line], new Error("the disk is too slow"));
    else {
      this.#pending.push(line);
      this.#pendingCharacters += line.length;
      this.#flushing ??= this.#flush();
    }
  }

  /** Writes what is pending and closes the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#flushing;
    await this.#closeFile();
    if (this.#lost > 0) this.#options.onLoss({ state: "closed", lost: this.#lost });
  }

  async #flush(): Promise<void> {
    // Everything from one turn of the event loop is written together, after the responses were sent.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      this.#pendingCharacters = 0;
      await this.#write(batch);
    }
    this.#flushing = undefined;
  }

  async #write(batch: readonly PendingLine[]): Promise<void> {
    const { formatLossLine, onLoss } = this.#options;
    const lost = this.#lost;
    const lossLine = lost > 0 && formatLossLine ? `${formatLossLine(lost)}\n` : "";
    const lines = batch.map(({ format }, index) => Buffer.from(`${index === 0 ? lossLine : ""}${format()}\n`));
    let written = 0;
    try {
      while (written < lines.length) {
        const start = written;
        written += await this.#writeChunk(lines.slice(start));
        if (lost > 0 && start === 0) {
          onLoss({ state: "recovered", lost });
          this.#lost -= lost;
        }
        for (const { onWritten } of batch.slice(start, written)) onWritten?.();
      }
    } catch (error) {
      // The next write opens the file again.
      await this.#closeFile().catch(() => undefined);
      this.#drop(batch.slice(written), error as Error);
    }
  }

  #drop(lines: readonly PendingLine[], error: Error): void {
    const wasFailing = this.#lost > 0;
    this.#lost += lines.length;
    // Reported once: a full disk is often the one that the log is written to.
    if (!wasFailing) this.#options.onLoss({ state: "failing", lost: this.#lost, error });
    for (const { onWritten } of lines) onWritten?.(error);
  }

  /** Writes the lines that fit into the current file, and at least one. Returns their number. */
  async #writeChunk(lines: readonly Buffer[]): Promise<number> {
    const { file, maxBytes } = this.#options;
    if (this.#handle !== undefined && !(await isSameFile(this.#handle, file))) await this.#closeFile();
    let handle = this.#handle ?? (await this.#openFile());
    let size = await fileSize(handle);
    const hasLines = size > Buffer.byteLength(this.#header);
    if (hasLines && size + (lines[0] as Buffer).length > maxBytes) {
      handle = await this.#rotate();
      size = await fileSize(handle);
    }
    // A file that cannot be renamed grows.
    const limit = this.#hasRotationError ? Infinity : maxBytes;
    let end = size;
    const exceeding = lines.findIndex((line, index) => {
      end += line.length;
      return end > limit && index > 0;
    });
    const count = exceeding === -1 ? lines.length : exceeding;
    await appendWhole(handle, Buffer.concat(lines.slice(0, count)));
    return count;
  }

  /** Renames the full file and opens a new one. */
  async #rotate(): Promise<FileHandle> {
    const { file, oldFiles, onRotationError } = this.#options;
    // Windows cannot rename an open file.
    await this.#closeFile();
    try {
      await rotateFiles(file, oldFiles);
      this.#hasRotationError = false;
    } catch (error) {
      if (onRotationError === undefined) throw error;
      if (!this.#hasRotationError) onRotationError(error);
      this.#hasRotationError = true;
    }
    return this.#openFile();
  }

  async #openFile(): Promise<FileHandle> {
    const handle = await this.#options.open(this.#options.file);
    try {
      // A crash may have cut off the last line.
      const newline = (await endsWithNewline(handle)) ? "" : "\n";
      await appendWhole(handle, Buffer.from(newline + this.#header));
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#handle = handle;
    return handle;
  }

  async #closeFile(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }
}

/** The options that say where lines are written and how much is kept. */
export const LINE_FILE_CHECKS = {
  file: check.required(check.isNonEmptyString, "must be a path"),
  maxBytes: check.positiveInteger,
  keep: check.positiveInteger,
};

/** The default of `maxBytes`. */
export const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

/** Opens a file for reading and appending that only its owner can read. */
export async function openPrivateFile(file: string): Promise<FileHandle> {
  const handle = await open(file, "a+", 0o600);
  try {
    // The file may have existed before. The mode of a device or pipe is left alone.
    if ((await handle.stat()).isFile()) await handle.chmod(0o600);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Tells whether the path still names the open file; it may have been renamed or removed. */
async function isSameFile(handle: FileHandle, file: string): Promise<boolean> {
  const [opened, named] = await Promise.all([handle.stat(), stat(file).catch(() => undefined)]);
  return named !== undefined && named.ino === opened.ino && named.dev === opened.dev;
}

/** The size of a file; devices and pipes have none. */
async function fileSize(handle: FileHandle): Promise<number> {
  const stats = await handle.stat();
  return stats.isFile() ? stats.size : 0;
}

/** Appends bytes. If they do not fit on the disk, the file stays as it was. */
async function appendWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  const size = await fileSize(handle);
  try {
    await handle.appendFile(bytes);
  } catch (error) {
    // A device or pipe has nothing to truncate.
    await handle.truncate(size).catch(() => undefined);
    throw error;
  }
}

/** Whether a file has no unfinished line at its end. */
async function endsWithNewline(handle: FileHandle): Promise<boolean> {
  const size = await fileSize(handle);
  if (size === 0) return true;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 0x0a;
}

/** Renames `file` to `file.1`, `file.1` to `file.2` and so on; the oldest is overwritten. */
async function rotateFiles(file: string, oldFiles: number): Promise<void> {
  if (oldFiles === 0) await rm(file, { force: true });
  for (let number = oldFiles; number >= 1; number -= 1) {
    const from = number === 1 ? file : `${file}.${number - 1}`;
    await rename(from, `${file}.${number}`).catch((error: NodeJS.ErrnoException) => {
      // There are fewer files so far.
      if (error.code !== "ENOENT") throw error;
    });
  }
}
