import { builtin } from "../builtin.js";
import { monotonic } from "../clock.js";
import type { Log } from "../log.js";
import type { Body } from "./body.js";
import { removeLeftovers } from "./leftovers.js";

/** How long a folder that failed is left alone. */
const REST_MS = 60_000;

const files = () => builtin("node:fs/promises");

/** Keeps bytes in files of its own, which nobody else may read and which go when the server goes. */
export class ResultFolder {
  readonly #base: string;
  readonly #name: () => string;
  readonly #log: Log;
  /** Named with the first file: what makes a name that nobody can guess takes milliseconds to load. */
  #path: string | undefined;
  #brokenUntil = 0;

  /** `name` makes the name of this server's folder below `base`. */
  constructor(base: string, name: () => string, log: Log) {
    this.#base = builtin("node:path").resolve(base);
    this.#name = name;
    this.#log = log;
  }

  /** Removes what servers have left behind that ended without a word. */
  async clean(): Promise<void> {
    try {
      await removeLeftovers(this.#base);
    } catch (error) {
      this.#log({ level: "warning", message: `leftover results in ${this.#base} could not be removed`, error });
    }
  }

  /** Writes a file and gives its path; undefined where that failed, which the log tells. */
  async write(bytes: Uint8Array): Promise<string | undefined> {
    if (monotonic() < this.#brokenUntil) return undefined;
    const path = builtin("node:path");
    const folder = (this.#path ??= path.join(this.#base, this.#name()));
    const whole = path.join(folder, crypto.randomUUID());
    const part = `${whole}.part`;
    try {
      // Each time: somebody may have tidied up since.
      await files().mkdir(folder, { recursive: true, mode: 0o700 });
      await files().writeFile(part, bytes, { flag: "wx", mode: 0o600 });
      await files().rename(part, whole);
      return whole;
    } catch (error) {
      this.#brokenUntil = monotonic() + REST_MS;
      const message = `results cannot be kept in ${folder}: for ${REST_MS / 1000} s they are kept in memory only`;
      this.#log({ level: "warning", message, error });
      await this.remove(part);
      return undefined;
    }
  }

  /** Opens a file to be read; undefined where it has gone. */
  async open(file: string, bytes: number): Promise<Body | undefined> {
    try {
      const handle = await files().open(file, "r");
      return {
        bytes,
        async read(at, length) {
          const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, bytes - at)));
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
          return buffer.subarray(0, bytesRead);
        },
        close: () => handle.close(),
      };
    } catch (error) {
      this.#log({ level: "warning", message: `a kept result could not be read`, error });
      return undefined;
    }
  }

  async remove(path: string): Promise<void> {
    try {
      await files().rm(path, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      // What lies below a file instead of a folder is not there either.
      if ((error as { code?: unknown }).code === "ENOTDIR") return;
      this.#log({ level: "warning", message: `${path} could not be removed`, error });
    }
  }

  /** Removes the folder with all that is in it. */
  async close(): Promise<void> {
    if (this.#path !== undefined) await this.remove(this.#path);
  }
}
