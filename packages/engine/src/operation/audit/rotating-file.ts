import type { FileHandle } from "node:fs/promises";
import type { LogEntry } from "../../server/log-entry.js";
import { isInPlace } from "../in-place.js";
import { shift } from "../shift.js";
import { openPlace } from "./place.js";

/** The lines that may wait for a slow disk. */
const MOST_WAITING = 10_000;

/** Hears when a line has been handed to the system, or why it is lost. */
type Done = (error?: Error) => void;

interface Waiting {
  readonly bytes: Buffer;
  readonly done: Done | undefined;
}

/** How a file is kept. */
export interface Rotation {
  readonly file: string;
  readonly maxBytes: number;
  readonly keep: number;
  /** The line that says in the file itself how many lines are missing before it. */
  readonly tellLoss: (lines: number) => string;
}

/**
 * A file of lines in the order in which they came, with one write for all of a turn, or for all that came while another write was
 * under way. The next file is begun when it is full. What cannot be written is lost and counted; the log is told when that begins
 * and when it ends.
 */
export class RotatingFile {
  readonly #rotation: Rotation;
  readonly #log: (entry: LogEntry) => void;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  #bytes = 0;
  /** The last line in the file is not whole. */
  #isTorn = false;
  #isStuck = false;
  #isClosed = false;
  /** Lines lost since writing began to fail; undefined = it does not. */
  #lost: number | undefined;
  /** Lines lost that the file itself does not tell of yet. */
  #untold = 0;

  constructor(rotation: Rotation, log: (entry: LogEntry) => void) {
    this.#rotation = rotation;
    this.#log = log;
  }

  /** Opens the file. Throws where that cannot be. */
  async open(): Promise<void> {
    const { handle, bytes, isTorn } = await openPlace(this.#rotation.file);
    this.#handle = handle;
    this.#bytes = bytes;
    this.#isTorn = isTorn;
  }

  add(line: string, done?: Done): void {
    const waiting = { bytes: Buffer.from(`${line}\n`), done };
    if (this.#isClosed) this.#lose([waiting], new Error("it has been closed"));
    else if (this.#waiting.length >= MOST_WAITING) this.#lose([waiting], new Error("the disk is too slow"));
    else {
      this.#waiting.push(waiting);
      this.#writing ??= this.#writeAll();
    }
  }

  /** Writes what waits, and closes the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#letGo();
    if (this.#lost !== undefined)
      this.#log({ level: "error", message: `the audit log ends; lines lost: ${this.#lost}` });
  }

  async #writeAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      let lines = this.#waiting;
      this.#waiting = [];
      while (lines.length > 0) lines = lines.slice(await this.#writeSome(lines));
    }
    this.#writing = undefined;
  }

  /** Writes as many lines as fit into one file, or loses them; gives how many. */
  async #writeSome(lines: readonly Waiting[]): Promise<number> {
    let chunk = lines;
    let end = 0;
    try {
      chunk = lines.slice(0, await this.#makeRoom(lines));
      const preface = Buffer.from(this.#preface());
      const bytes = Buffer.concat([preface, ...chunk.map((line) => line.bytes)]);
      const { written, fault } = await writeWhole(this.#handle as FileHandle, bytes);
      this.#bytes += written;
      if (written >= preface.length) this.#untold = 0;
      end = written - preface.length;
      if (fault !== undefined) throw fault;
      this.#isTorn = false;
    } catch (error) {
      await this.#letGo();
      const whole = wholeLines(chunk, end);
      for (const { done } of chunk.slice(0, whole)) done?.();
      this.#lose(chunk.slice(whole), error as Error);
      return chunk.length;
    }
    this.#recover();
    for (const { done } of chunk) done?.();
    return chunk.length;
  }

  /** What has to be set right before the next line. */
  #preface(): string {
    const loss = this.#untold === 0 ? "" : `${this.#rotation.tellLoss(this.#untold)}\n`;
    return `${this.#isTorn ? "\n" : ""}${loss}`;
  }

  /** Sees to a file with room for at least one line, and gives how many fit. */
  async #makeRoom(lines: readonly Waiting[]): Promise<number> {
    const { file, maxBytes } = this.#rotation;
    if (this.#handle !== undefined && !(await isInPlace(this.#handle, file))) await this.#letGo();
    if (this.#handle === undefined) await this.open();
    if (this.#bytes > 0 && this.#bytes + (lines[0] as Waiting).bytes.length > maxBytes) await this.#begin();
    const room = this.#isStuck ? Number.POSITIVE_INFINITY : maxBytes - this.#bytes;
    return Math.max(1, wholeLines(lines, room));
  }

  /** Begins the next file; where that cannot be, the full one goes on. */
  async #begin(): Promise<void> {
    const { file, keep } = this.#rotation;
    // Windows renames no file that is open.
    await this.#letGo();
    try {
      await shift(file, keep);
      this.#isStuck = false;
    } catch (error) {
      if (!this.#isStuck) this.#log({ level: "error", message: "the audit log is full and cannot be renamed", error });
      this.#isStuck = true;
    }
    await this.open();
  }

  async #letGo(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    // One that cannot be closed is given up all the same: the next lines need a file.
    await handle?.close().catch((error: unknown) => {
      this.#log({ level: "warning", message: "a file of the audit log could not be closed", error });
    });
  }

  #lose(lines: readonly Waiting[], error: Error): void {
    if (this.#lost === undefined)
      this.#log({ level: "error", message: "the audit log cannot be written; lines are lost until it can", error });
    this.#lost = (this.#lost ?? 0) + lines.length;
    this.#untold += lines.length;
    for (const { done } of lines) done?.(error);
  }

  #recover(): void {
    if (this.#lost === undefined) return;
    this.#log({ level: "warning", message: `the audit log is written again; lines lost: ${this.#lost}` });
    this.#lost = undefined;
  }
}

/** How many lines from the first on lie within so many bytes. */
function wholeLines(lines: readonly Waiting[], bytes: number): number {
  let end = 0;
  const at = lines.findIndex((line) => {
    end += line.bytes.length;
    return end > bytes;
  });
  return at === -1 ? lines.length : at;
}

/** Writes all; where that fails, tells how much was written before. */
async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<{ written: number; fault?: Error }> {
  let written = 0;
  try {
    while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
    return { written };
  } catch (error) {
    return { written, fault: error as Error };
  }
}
