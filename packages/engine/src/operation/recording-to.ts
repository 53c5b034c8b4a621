import { CLOCK_ORIGIN, monotonic } from "../server/clock.js";
import type { Frame } from "../server/recorder.js";
import type { Server } from "../server/server.js";
import { frameLine, headerLine } from "./recording.js";
import { RecordingFile } from "./recording-file.js";
import type { OpenRecording, RecordOptions } from "./recording-options.js";

/** What waits to be written is bounded: a disk that hangs must not cost the memory. */
const MOST_WAITING = 16 * 1024 * 1024;
/** A longer message is cut: to look for secrets in it would hold up everything else. */
const LONGEST = 1024 * 1024;

/** Writes every message of a server to a file, in its own time. */
class Scribe implements OpenRecording {
  readonly file: string;
  readonly #server: Server;
  readonly #paper: RecordingFile;
  readonly #startedAt: number;
  readonly #longest: number;
  readonly #stop: () => void;
  #waiting: Frame[] = [];
  #waitingCharacters = 0;
  #lost = 0;
  #writing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(server: Server, file: string, paper: RecordingFile, startedAt: number, maxBytes: number) {
    this.file = file;
    this.#server = server;
    this.#paper = paper;
    this.#startedAt = startedAt;
    this.#longest = Math.min(LONGEST, Math.floor(maxBytes / 4));
    const closed = (): Promise<void> => this.close();
    this.#stop = server.recorder?.listen((frame) => this.#hear(frame), closed) ?? (() => undefined);
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  #hear(frame: Frame): void {
    if (this.#waitingCharacters > MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(frame);
    this.#waitingCharacters += frame.text.length;
    // What one turn brings is written together, and after the answers have left.
    this.#writing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#write());
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const frames = this.#waiting;
      this.#waiting = [];
      this.#waitingCharacters = 0;
      try {
        const lines = frames.map((frame) => frameLine(frame, this.#server, this.#startedAt, this.#longest));
        await this.#paper.write(lines);
        this.#tellEndOfLoss();
      } catch (error) {
        this.#tellLoss(frames.length, error);
      }
    }
    this.#writing = undefined;
  }

  async #finish(): Promise<void> {
    this.#stop();
    await this.#writing;
    await this.#paper.close();
  }

  /** Once, not for each message: a full disk is often one that logs fill too. */
  #tellLoss(count: number, error: unknown): void {
    if (this.#lost === 0)
      this.#server.log({
        level: "error",
        message: `messages cannot be recorded in ${this.file}; they are again as soon as it has room`,
        error,
      });
    this.#lost += count;
  }

  #tellEndOfLoss(): void {
    if (this.#lost === 0) return;
    const message = `messages are recorded again in ${this.file}; ${this.#lost} are missing`;
    this.#server.log({ level: "notice", message });
    this.#lost = 0;
  }
}

/** Opens the file and begins to write. */
export async function recordTo(server: Server, options: Required<RecordOptions>): Promise<OpenRecording> {
  const { maxBytes, keep } = options;
  const file = options.file.replaceAll("%p", String(process.pid));
  const startedAt = Math.floor(CLOCK_ORIGIN + monotonic());
  const paper = new RecordingFile(file, maxBytes, keep, headerLine(server, startedAt));
  try {
    await paper.open();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A disk that is full now may have room later; the first message that is lost says so.
    if (code !== "ENOSPC" && code !== "EDQUOT")
      throw new Error(`Cannot record to ${file}: ${message}`, { cause: error });
  }
  return new Scribe(server, file, paper, startedAt, maxBytes);
}
