import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";

/** Lines are being lost, are written again after a loss, or were still being lost when the writer was closed. */
export interface LossReport {
  readonly state: "failing" | "recovered" | "closed";
  /** Lines lost since writing began to fail. */
  readonly lost: number;
  readonly error?: Error;
}

/** Options of `LineWriter`. */
export interface LineWriterOptions extends LineFileOptions {
  /** The line that says in the file itself how many lines are missing before it. */
  readonly formatLossLine?: (lines: number) => string;
  readonly onLoss: (report: LossReport) => void;
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

/** Writes lines to a file in the order in which they were added, in batches. Lines that cannot be written are counted and reported. */
export class LineWriter {
  readonly #file: RotatingFile;
  readonly #options: LineWriterOptions;
  #pending: PendingLine[] = [];
  #pendingCharacters = 0;
  #flushing: Promise<void> | undefined;
  #isClosed = false;
  /** Lines lost since writing began to fail. */
  #lost = 0;
  /** Lines lost that the file does not mention yet. */
  #unmentioned = 0;

  constructor(options: LineWriterOptions) {
    this.#file = new RotatingFile(options);
    this.#options = options;
  }

  /** Opens the file, so that errors show at the start. Returns the error, if any. */
  async open(): Promise<NodeJS.ErrnoException | undefined> {
    return (await this.#file.write([])).error;
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
    await this.#file.close();
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
    const mentioned = this.#unmentioned;
    const lossLines = formatLossLine === undefined || mentioned === 0 ? [] : [formatLossLine(mentioned)];
    const { written, error } = await this.#file.write([...lossLines, ...batch.map(({ format }) => format())]);
    if (written > 0) this.#unmentioned -= mentioned;
    const complete = Math.max(0, written - lossLines.length);
    if (error !== undefined) this.#drop(batch.slice(complete), error);
    else if (this.#lost > 0) {
      onLoss({ state: "recovered", lost: this.#lost });
      this.#lost = 0;
    }
    for (const { onWritten } of batch.slice(0, complete)) onWritten?.();
  }

  #drop(lines: readonly PendingLine[], error: Error): void {
    const wasFailing = this.#lost > 0;
    this.#lost += lines.length;
    this.#unmentioned += lines.length;
    // Reported once: a full disk is often the one that the log is written to.
    if (!wasFailing && lines.length > 0) this.#options.onLoss({ state: "failing", lost: this.#lost, error });
    for (const { onWritten } of lines) onWritten?.(error);
  }
}

/** Where lines are written, and when the next file is started. */
interface LineFileOptions {
  readonly file: string;
  readonly maxBytes: number;
  /** How many full files are kept, as `file.1` (the newest), `file.2` and so on. */
  readonly oldFiles: number;
  /** Opens the file for reading and appending. */
  readonly open: (file: string) => Promise<FileHandle>;
  /** The first line of each file. */
  readonly header?: string;
  /** Called when a full file cannot be renamed; the file then keeps growing. Without it the write fails. */
  readonly onRotationError?: (error: unknown) => void;
}

/** How many lines are complete in the file, and why the others are not. */
interface WriteResult {
  readonly written: number;
  readonly error?: NodeJS.ErrnoException;
}

/** A file of lines that is renamed to `file.1` when it is full. A line that a crash or a full disk cut off is terminated first. */
class RotatingFile {
  readonly #options: LineFileOptions;
  readonly #header: string;
  #handle: FileHandle | undefined;
  #bytes = 0;
  /** What has to be written before the next line. */
  #needsNewline = false;
  #needsHeader = true;
  #canRotate = true;

  constructor(options: LineFileOptions) {
    this.#options = options;
    this.#header = options.header === undefined ? "" : `${options.header}\n`;
  }

  /** Appends lines, to as many files as they need. An empty list only opens the file. Never rejects. */
  async write(lines: readonly string[]): Promise<WriteResult> {
    const pending = lines.map((line) => Buffer.from(`${line}\n`));
    try {
      do await this.#writeChunk(pending);
      while (pending.length > 0);
      return { written: lines.length };
    } catch (error) {
      // The next write opens the file again and finds out how its last line ends.
      await this.close().catch(() => undefined);
      return { written: lines.length - pending.length, error: error as Error };
    }
  }

  /** Closes the file. The next write opens it again. */
  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** Writes the lines that fit into the current file, at least one, and removes those that are complete from `pending`. */
  async #writeChunk(pending: Buffer[]): Promise<void> {
    const handle = await this.#prepare(pending[0]?.length ?? 0);
    const prefix = this.#prefix();
    const capacity = this.#canRotate ? this.#options.maxBytes - this.#bytes - prefix.length : Infinity;
    const bytes = Buffer.concat([prefix, ...pending.slice(0, Math.max(1, countWholeLines(pending, capacity)))]);
    let written = 0;
    try {
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
      this.#needsNewline = false;
      this.#needsHeader = false;
    } finally {
      this.#bytes += written;
      pending.splice(0, countWholeLines(pending, written - prefix.length));
    }
  }

  #prefix(): Buffer {
    return Buffer.from((this.#needsNewline ? "\n" : "") + (this.#needsHeader ? this.#header : ""));
  }

  /** Returns an open file with room for a line of this length. A line longer than `maxBytes` gets a file of its own. */
  async #prepare(lineLength: number): Promise<FileHandle> {
    const { file, maxBytes } = this.#options;
    let handle = this.#handle;
    if (handle !== undefined && !(await isSameFile(handle, file))) {
      await this.close();
      handle = undefined;
    }
    handle ??= await this.#open();
    const hasLines = this.#bytes > Buffer.byteLength(this.#header);
    const isFull = this.#bytes + this.#prefix().length + lineLength > maxBytes;
    return hasLines && isFull ? this.#rotate() : handle;
  }

  async #open(): Promise<FileHandle> {
    const handle = await this.#options.open(this.#options.file);
    try {
      const stats = await handle.stat();
      // Devices and pipes have no size.
      this.#bytes = stats.isFile() ? stats.size : 0;
      this.#needsNewline = this.#bytes > 0 && !(await endsWithNewline(handle, this.#bytes));
    } catch (error) {
      await handle.close();
      throw error;
    }
    if (this.#bytes === 0) this.#needsHeader = true;
    this.#handle = handle;
    return handle;
  }

  async #rotate(): Promise<FileHandle> {
    const { file, oldFiles, onRotationError } = this.#options;
    // Windows cannot rename an open file.
    await this.close();
    try {
      await rotateFiles(file, oldFiles);
      this.#canRotate = true;
    } catch (error) {
      if (onRotationError === undefined) throw error;
      if (this.#canRotate) onRotationError(error);
      this.#canRotate = false;
    }
    return this.#open();
  }
}

/** Validates options that say where lines are written and how much is kept, and adds defaults. Throws `TypeError`. */
export function resolveFileOptions(
  action: string,
  {
    file,
    maxBytes = 10 * 1024 * 1024,
    keep,
  }: { readonly file: string; readonly maxBytes?: number; readonly keep?: number },
  defaultKeep: number,
): { readonly file: string; readonly maxBytes: number; readonly keep: number } {
  const sizes = { maxBytes, keep: keep ?? defaultKeep };
  if (typeof file !== "string" || file === "") throw new TypeError(`Cannot ${action}: file must be a path`);
  for (const [name, value] of Object.entries(sizes)) {
    if (!(Number.isInteger(value) && value > 0))
      throw new TypeError(`Cannot ${action}: ${name} must be a positive whole number`);
  }
  return { file, ...sizes };
}

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

async function endsWithNewline(handle: FileHandle, size: number): Promise<boolean> {
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

/** Counts the lines at the start of the list that fit into so many bytes. */
function countWholeLines(lines: readonly Buffer[], bytes: number): number {
  let end = 0;
  const index = lines.findIndex((line) => {
    end += line.length;
    return end > bytes;
  });
  return index === -1 ? lines.length : index;
}
