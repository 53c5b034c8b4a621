import { execFileSync } from "node:child_process";
import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

/** What kind of disk a run has: an image of a file system, memory, or the disk of the system. */
export type DiskKind = "image" | "memory" | "none";

/** The file of the file system that is mounted at a folder, if the kind of disk is "image". */
const imageOf = (folder: string): string => `${folder}.image`;

/** A disk with little room, which can be filled to the last byte, and can lose its power. */
export class SmallDisk {
  readonly canLosePower: boolean;
  readonly #folder: string;
  readonly #filler: string;
  #isFull = false;
  /** When it had room again: what fails a moment later may still have failed because of it. */
  #freedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, kind: DiskKind) {
    this.canLosePower = kind === "image";
    this.#folder = folder;
    this.#filler = path.join(folder, "filler");
  }

  /** Whether it is full, or was a moment ago. */
  get isFull(): boolean {
    return this.#isFull || performance.now() - this.#freedAt < 1000;
  }

  fill(): void {
    this.#isFull = true;
    const file = openSync(this.#filler, "a");
    try {
      for (let size = 1 << 20; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch {
          size >>= 1;
        }
      }
    } finally {
      closeSync(file);
    }
  }

  /** Makes room again. */
  free(): void {
    if (!this.#isFull) return;
    rmSync(this.#filler, { force: true });
    this.#isFull = false;
    this.#freedAt = performance.now();
  }

  /** Writes everything to the image, so that nothing that was there before a run is lost with the power. */
  sync(): void {
    execFileSync("sync", ["-f", this.#folder]);
  }

  /**
   * Keeps what is in the image now, without what programs have written and the system has not yet: it waits for `fsync`, or for a
   * minute. Nobody may write meanwhile.
   */
  snapshot(): void {
    copyFileSync(imageOf(this.#folder), `${imageOf(this.#folder)}.snapshot`);
  }

  /** Goes back to the snapshot, as a computer does that lost its power then. The server must have ended. */
  restore(): void {
    // Programs that tools had started may still have their working directory there.
    execFileSync("umount", ["--lazy", this.#folder]);
    renameSync(`${imageOf(this.#folder)}.snapshot`, imageOf(this.#folder));
    // The file system repairs itself from its own journal.
    execFileSync("mount", ["-o", MOUNT_OPTIONS, imageOf(this.#folder), this.#folder]);
    this.free();
  }
}

/** The file system writes on its own so rarely that only `fsync` counts. */
export const MOUNT_OPTIONS = "loop,commit=300";
