import { isUtf8 } from "node:buffer";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Failure } from "@toolwright/kit/cli";

const MARK = "\u{feff}";

/** A configuration file as it was found. */
export interface ConfigFile {
  /** Its path as the client has it. */
  readonly file: string;
  /** The real path, with links resolved. */
  readonly place: string;
  /** Undefined = there is no such file. */
  readonly bytes: Buffer | undefined;
  /** Without a byte order mark. */
  readonly text: string;
}

/** Reads a configuration file. Throws `Failure` if it exists and cannot be read. */
export function readConfig(file: string): ConfigFile {
  try {
    const place = placeOf(file);
    const bytes = place === undefined ? undefined : readFileSync(place);
    if (bytes !== undefined && !isUtf8(bytes)) throw new Error("it is no text in UTF-8");
    const text = bytes?.toString("utf8") ?? "";
    return { file, place: place ?? file, bytes, text: text.startsWith(MARK) ? text.slice(1) : text };
  } catch (error) {
    throw new Failure(`Cannot read ${file}: ${reasonOf(error)}`, 1, error);
  }
}

function placeOf(file: string): string | undefined {
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry === undefined) return undefined;
  try {
    const place = realpathSync(file);
    if (!statSync(place).isFile()) throw new Error("it is no regular file");
    return place;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error("it is a link to a file that is not there", { cause: error });
  }
}

/**
 * Replaces the text that was read, atomically; undefined = deletes the file. `keep` is called before the last check. Throws `Failure` if
 * the file has changed since.
 */
export function replaceConfig(
  { file, place, bytes, text: old }: ConfigFile,
  text: string | undefined,
  keep: () => void,
): void {
  const temporary = path.join(path.dirname(place), `.toolwright-${randomBytes(8).toString("hex")}.tmp`);
  try {
    const mode = bytes && statSync(place).mode;
    // A rename would replace it all the same: the folder decides on that, not the file.
    if (mode !== undefined && (mode & 0o222) === 0) throw new Error("it is read-only; make it writable first");
    if (text === undefined) {
      refuseChanged(place, bytes);
      return rmSync(place);
    }
    mkdirSync(path.dirname(place), { recursive: true });
    const hasMark = bytes !== undefined && bytes.length > Buffer.byteLength(old);
    writeSafely(temporary, (hasMark ? MARK : "") + text, mode);
    refuseChanged(place, bytes);
    keep();
    refuseChanged(place, bytes);
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof Failure) throw error;
    throw new Failure(`Cannot change ${file}: ${reasonOf(error)}`, 1, error);
  }
}

function writeSafely(file: string, text: string, mode: number | undefined): void {
  const handle = openSync(file, "wx", mode === undefined ? 0o666 : 0o600);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  if (mode !== undefined) chmodSync(file, mode & 0o7777);
}

function refuseChanged(place: string, bytes: Buffer | undefined): void {
  const now = statSync(place, { throwIfNoEntry: false }) && readFileSync(place);
  const isSame = now === undefined || bytes === undefined ? now === bytes : now.equals(bytes);
  if (!isSame) throw new Error("another program has changed it meanwhile, and nothing was written; try again");
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder is not there",
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST: "a part of its path is a file, not a folder",
  EACCES: "this user may not do that",
  EPERM: "this user may not do that",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ELOOP: "its links lead in a circle",
};

/** What a fault of the system means, in words. */
function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

const ENDING = ".toolwright-backup";

/** More backups exist only if old ones are never removed. */
const MOST = 100;

/** Keeps a copy of a file beside it, and says where. One that has the same content is enough; none is ever overwritten. */
export function keepBackup({ place, bytes, file }: ConfigFile): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    for (const backup of names(place)) {
      const old = contentOf(backup);
      if (old?.equals(bytes)) return backup;
      if (old !== undefined) continue;
      // The copy has the permissions of the file.
      const mode = statSync(place).mode & 0o7777;
      writeFileSync(backup, bytes, { flag: "wx", mode: 0o600 });
      chmodSync(backup, mode);
      return backup;
    }
  } catch (error) {
    throw new Failure(`Cannot make a backup of ${file}, so it stays as it is: ${reasonOf(error)}`, 1, error);
  }
  throw new Failure(`Cannot make a backup of ${file}: there are ${MOST} already; remove some`, 1);
}

/** The backups of a file, oldest first. */
export function backupsOf(place: string): readonly { readonly file: string; readonly bytes: Buffer }[] {
  return names(place).flatMap((file) => {
    const bytes = contentOf(file);
    return bytes === undefined ? [] : [{ file, bytes }];
  });
}

/** Takes a backup away that is what the file itself is again. */
export function dropBackup(file: string): void {
  rmSync(file, { force: true });
}

const names = (place: string): readonly string[] =>
  Array.from({ length: MOST }, (_, at) => (at === 0 ? `${place}${ENDING}` : `${place}${ENDING}-${at + 1}`));

function contentOf(file: string): Buffer | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined;
}
