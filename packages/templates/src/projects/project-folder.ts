import { isUtf8 } from "node:buffer";
import { lstat, readdir, unlink } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type FileAccess, type WriteOptions, writeAtomically } from "@toolwright/kit/files";

/** The largest file of a user that is compared or merged. */
const MOST_BYTES = 1024 * 1024;

/** What is there only while a file is written, and how long that can take at most. */
const TEMPORARY = /^\.toolwright-[0-9a-f]{16}\.tmp$/;
const STALE_MS = 60_000;

/** What lies at a path of a project. */
export type Found =
  | { readonly kind: "nothing" }
  | { readonly kind: "text"; readonly text: string }
  /** Bytes that are no UTF-8, or too many of them. */
  | { readonly kind: "other" };

/** The folder of one project inside the reach of a call; paths are those inside it, with forward slashes. */
export class ProjectFolder {
  readonly reach: FileAccess;
  /** The folder as it was given. */
  readonly folder: string;

  constructor(reach: FileAccess, folder: string) {
    this.reach = reach;
    this.folder = folder;
  }

  /** A path as callers see it. */
  show(inside: string): string {
    return path.posix.join(this.folder.replaceAll("\\", "/"), inside);
  }

  async read(inside: string): Promise<Found> {
    const given = this.#at(inside);
    if ((await this.reach.look(given)) === undefined) return { kind: "nothing" };
    await using file = await this.reach.openFile(given);
    if (file.stats.size > MOST_BYTES) return { kind: "other" };
    const bytes = await this.reach.attempt(given, () => file.handle.readFile());
    return isUtf8(bytes) ? { kind: "text", text: bytes.toString("utf8") } : { kind: "other" };
  }

  async write(inside: string, text: string, options: WriteOptions): Promise<void> {
    const given = this.#at(inside);
    await using entry = await this.reach.openEntry(given, { create: true });
    await this.reach.attempt(given, () => writeAtomically(entry, Buffer.from(text), options));
  }

  /** Removes what a writing that was cut off has left beside a file. */
  async removeBeside(inside: string, name: string): Promise<void> {
    if (!TEMPORARY.test(name)) return;
    try {
      const given = this.#at(path.posix.join(path.posix.dirname(inside), name));
      await using entry = await this.reach.openEntry(given, { follow: false });
      await unlink(entry.path);
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }

  /** Removes what a writing of the answers themselves has left, which nobody has noted. */
  async removeStale(): Promise<void> {
    if ((await this.reach.look(this.folder)) === undefined) return;
    await using folder = await this.reach.openFolder(this.folder);
    for (const name of (await readdir(folder.path)).filter((each) => TEMPORARY.test(each))) {
      const place = folder.at(name);
      const { mtimeMs } = await lstat(place);
      if (Date.now() - mtimeMs > STALE_MS) await unlink(place);
    }
  }

  #at(inside: string): string {
    return path.join(this.folder, inside);
  }
}

const isAbsence = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown };
  return code === "ENOENT" || (error instanceof ToolError && code === "NOT_FOUND");
};
