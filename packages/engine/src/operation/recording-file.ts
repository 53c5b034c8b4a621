import { type FileHandle, open, rm } from "node:fs/promises";
import { isInPlace } from "./in-place.js";
import { shift } from "./shift.js";

/** A file that begins with a heading, and makes room for a new one when it is full. */
export class RecordingFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #keep: number;
  readonly #heading: string;
  #handle: FileHandle | undefined;
  #size = 0;
  /** What comes before the next line: the end of half a line, and the heading. */
  #before = "";

  constructor(path: string, maxBytes: number, keep: number, heading: string) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#keep = keep;
    this.#heading = heading;
  }

  /** Opens the file, and goes on at its end where there is one. */
  async open(): Promise<void> {
    const handle = await open(this.#path, "a", 0o600);
    try {
      const found = await handle.stat();
      // A device or a pipe has no size, and its mode is none of our business.
      if (found.isFile()) await handle.chmod(0o600);
      this.#size = found.isFile() ? found.size : 0;
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#handle = handle;
    // A process that was killed may have left half a line.
    this.#before = (this.#size > 0 ? "\n" : "") + this.#heading;
    if (this.#size < this.#maxBytes) await this.#append("");
  }

  /** Writes whole lines. Throws where there is no room for them; the file stays as it is but for half a line. */
  async write(lines: readonly string[]): Promise<void> {
    if (this.#handle !== undefined && !(await isInPlace(this.#handle, this.#path))) await this.close();
    if (this.#handle === undefined) await this.open();
    let together = "";
    let bytes = 0;
    for (const line of lines) {
      const length = Buffer.byteLength(line);
      if (this.#size + bytes + length > this.#maxBytes && this.#hasFrames(bytes)) {
        await this.#append(together);
        await this.#rotate();
        [together, bytes] = ["", 0];
      }
      together += line;
      bytes += length;
    }
    await this.#append(together);
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** One line has a file for itself where it needs that. */
  #hasFrames(bytes: number): boolean {
    return bytes > 0 || this.#size > Buffer.byteLength(this.#heading) + 1;
  }

  /** Closed first, because some systems rename no file that is open. */
  async #rotate(): Promise<void> {
    await this.close();
    if (this.#keep === 1) await rm(this.#path, { force: true });
    else await shift(this.#path, this.#keep - 1);
    await this.open();
  }

  async #append(lines: string): Promise<void> {
    const text = this.#before + lines;
    try {
      await this.#handle?.appendFile(text);
    } catch (error) {
      if (!this.#before.startsWith("\n")) this.#before = `\n${this.#before}`;
      throw error;
    }
    this.#before = "";
    this.#size += Buffer.byteLength(text);
  }
}
