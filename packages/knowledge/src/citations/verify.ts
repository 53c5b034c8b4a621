import path from "node:path";
import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { READER_FILE, Reader } from "../documents/reader.js";
import { type Reading, type SourceSpan, UnreadableDocument } from "../documents/reading.js";
import { sha256 } from "../ingest/fingerprint.js";
import { folderExists } from "../ingest/scan-sources.js";
import type { Passage } from "./passage.js";

/** Whether a source still contains a passage. */
export interface Verdict {
  /** True only if the exact text is at the exact position. Null: it cannot be determined. */
  readonly verified: boolean | null;
  readonly reason?: string;
  /** The new position of the text in the same file. */
  readonly moved?: SourceSpan;
}

const NO_FILE: Verdict = { verified: null, reason: "it was ingested as text and has no file" };

const FILE_MISSING: Verdict = { verified: false, reason: "the file no longer exists" };

const UNKNOWN_FOLDER: Verdict = {
  verified: null,
  reason: "the folder of its source is unknown, and the file is not in the current folder",
};

/** The current state of a source: unchanged, changed and read again, or unavailable. */
type State = { readonly isSame: true } | { readonly reading: Reading } | Verdict;

/** Verifies passages. Reads each source once. */
export class Verifier {
  readonly #open: () => Promise<FileAccess>;
  readonly #maxBytes: number;
  readonly #states = new Map<string, Promise<State>>();
  readonly #folders = new Map<string, Promise<boolean>>();
  #access: Promise<FileAccess> | undefined;
  #reader: Reader | undefined;

  constructor(access: () => Promise<FileAccess>, maxBytes: number) {
    this.#open = access;
    this.#maxBytes = maxBytes;
  }

  async verify(passage: Passage): Promise<Verdict> {
    if (passage.origin !== "file") return NO_FILE;
    const { source, folder } = passage;
    this.#access ??= this.#open();
    const access = await this.#access;
    const isAway = folder !== null && !path.isAbsolute(source) && !(await this.#folderExists(access, folder));
    const filePath = folder === null || isAway ? source : path.resolve(folder, source);
    const key = `${passage.sha256} ${filePath}`;
    const known = this.#states.get(key) ?? this.#check(access, filePath, passage);
    this.#states.set(key, known);
    const verdict = judge(passage, await known);
    // Another file can have the same relative path here: a match is proof, but a mismatch is not.
    if (verdict.verified === true || path.isAbsolute(source) || (folder !== null && !isAway)) return verdict;
    return isAway
      ? { verified: null, reason: `it was ingested from ${folder}, which does not exist here` }
      : UNKNOWN_FOLDER;
  }

  /** Whether a folder exists. If it is inaccessible, assumes that it does, because the file access then reports the reason. */
  #folderExists(access: FileAccess, folder: string): Promise<boolean> {
    const known = this.#folders.get(folder) ?? folderExists(access, folder).catch(assumeExists);
    this.#folders.set(folder, known);
    return known;
  }

  async close(): Promise<void> {
    await this.#reader?.close();
  }

  async #check(access: FileAccess, filePath: string, { source, sha256: before }: Passage): Promise<State> {
    try {
      const bytes = await this.#load(access, filePath);
      if (bytes === undefined) return { verified: null, reason: "the file is now larger than the limit" };
      if ((await sha256(bytes)) === before) return { isSame: true };
      this.#reader ??= new Reader({ file: READER_FILE });
      return { reading: await this.#reader.read({ name: source, bytes }, access.signal) };
    } catch (error) {
      if (error instanceof UnreadableDocument)
        return { verified: false, reason: `the file has changed and cannot be read: ${error.message}` };
      if (error instanceof ToolError)
        return error.code === "NOT_FOUND" ? FILE_MISSING : { verified: null, reason: error.message };
      throw error;
    }
  }

  async #load(access: FileAccess, filePath: string): Promise<Uint8Array | undefined> {
    await using file = await access.openFile(filePath);
    if (file.stats.size > this.#maxBytes) return undefined;
    return access.withTimeout(filePath, () => file.handle.readFile());
  }
}

function assumeExists(error: unknown): true {
  if (error instanceof ToolError) return true;
  throw error;
}

function judge(passage: Passage, state: State): Verdict {
  if ("verified" in state) return state;
  return "isSame" in state ? { verified: true } : compare(passage, state.reading);
}

/** Searches the current text of a file for a passage. */
function compare({ text, first, last, locate }: Passage, now: Reading): Verdict {
  const before = locate(first, last);
  let nearest: SourceSpan | undefined;
  for (let at = now.text.indexOf(text); at !== -1; at = now.text.indexOf(text, at + 1)) {
    const span = now.locate(at, at + text.length);
    if (isSameSpan(span, before)) return { verified: true };
    if (nearest === undefined || distance(span, before) < distance(nearest, before)) nearest = span;
  }
  if (nearest === undefined)
    return { verified: false, reason: "the file has changed and no longer contains the passage" };
  return { verified: false, reason: "the file has changed, and the passage has moved", moved: nearest };
}

const isSameSpan = (one: SourceSpan, other: SourceSpan): boolean =>
  one.byte_start === other.byte_start &&
  one.byte_end === other.byte_end &&
  one.line_start === other.line_start &&
  one.line_end === other.line_end &&
  one.page === other.page;

const distance = (one: SourceSpan, other: SourceSpan): number =>
  Math.abs((one.page ?? 0) - (other.page ?? 0)) * 100_000 + Math.abs(one.line_start - other.line_start);
