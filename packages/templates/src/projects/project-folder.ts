import { isUtf8 } from "node:buffer";
import { lstat, readdir, unlink } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import type { FileAccess, WriteOptions } from "@toolwright/kit/files";

/** The largest file that is compared or merged. */
const MAX_BYTES = 1024 * 1024;

/** Names of temporary files, and the age after which one is left from an interrupted write. */
const TEMPORARY = /^\.toolwright-[0-9a-f]{16}\.tmp$/;
const STALE_MS = 60_000;

/** What is at a path of a project. */
export type FoundFile =
  | { readonly kind: "missing" }
  | { readonly kind: "text"; readonly text: string }
  /** Not UTF-8, or too large. */
  | { readonly kind: "other" };

/** The folder of a project, within the files that a call may access. Paths are relative to it, with forward slashes. */
export class ProjectFolder {
  readonly access: FileAccess;
  /** The folder as the caller named it. */
  readonly inputPath: string;

  constructor(access: FileAccess, inputPath: string) {
    this.access = access;
    this.inputPath = inputPath;
  }

  /** Returns a path as callers see it. */
  display(inside: string): string {
    return path.posix.join(this.inputPath.replaceAll("\\", "/"), inside);
  }

  async read(inside: string): Promise<FoundFile> {
    const inputPath = this.#resolve(inside);
    if ((await this.access.stat(inputPath)) === undefined) return { kind: "missing" };
    await using file = await this.access.openFile(inputPath);
    if (file.stats.size > MAX_BYTES) return { kind: "other" };
    const bytes = await this.access.withTimeout(inputPath, () => file.handle.readFile());
    return isUtf8(bytes) ? { kind: "text", text: bytes.toString("utf8") } : { kind: "other" };
  }

  async write(inside: string, text: string, options: WriteOptions): Promise<void> {
    const inputPath = this.#resolve(inside);
    await using entry = await this.access.openEntry(inputPath, { create: true });
    await this.access.writeEntry(inputPath, entry, Buffer.from(text), options);
  }

  /** Removes the temporary file of an interrupted write beside a file. */
  async removeTemporary(inside: string, name: string): Promise<void> {
    if (!TEMPORARY.test(name)) return;
    try {
      const inputPath = this.#resolve(path.posix.join(path.posix.dirname(inside), name));
      await using entry = await this.access.openEntry(inputPath, { follow: false });
      await unlink(entry.path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Removes temporary files of the answers file, which no record names. */
  async removeStaleTemporaries(): Promise<void> {
    if ((await this.access.stat(this.inputPath)) === undefined) return;
    await using folder = await this.access.openFolder(this.inputPath);
    for (const name of (await readdir(folder.path)).filter((each) => TEMPORARY.test(each))) {
      const file = folder.at(name);
      const { mtimeMs } = await lstat(file);
      if (Date.now() - mtimeMs > STALE_MS) await unlink(file);
    }
  }

  #resolve(inside: string): string {
    return path.join(this.inputPath, inside);
  }
}

const isMissing = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown };
  return code === "ENOENT" || (error instanceof ToolError && code === "NOT_FOUND");
};
