/** What kept a storage file from being used. */
type StorageFault = "LOCKED" | "READ_ONLY" | "FULL" | "CORRUPT" | "NEWER" | "CLOSED" | "UNUSABLE";

/** A storage file could not be used; nothing of what is in it was lost. The message is for the people who run the server. */
export class StorageError extends Error {
  readonly code: StorageFault;

  constructor(code: StorageFault, file: string, reason: string, cause?: unknown) {
    super(`Cannot use the file ${file}: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = "StorageError";
    this.code = code;
  }
}

const REASONS: Partial<Record<StorageFault, string>> = {
  LOCKED: "another process keeps it locked. Try again, or look which process has it open",
  READ_ONLY: "it may not be written. Check the permissions of the file and of its folder",
  FULL: "the disk is full. What was stored before is still there; make room and try again",
  CORRUPT: "it is damaged, or no SQLite file. It was left as it is; move it away or restore a copy",
};

// The numbers that SQLite gives its faults, without the details in the higher bits.
const SQLITE_FAULTS = new Map<number, StorageFault>([
  [5, "LOCKED"],
  [6, "LOCKED"],
  [8, "READ_ONLY"],
  [11, "CORRUPT"],
  [13, "FULL"],
  [26, "CORRUPT"],
]);

const SYSTEM_FAULTS = new Map<string, StorageFault>([
  ["EACCES", "READ_ONLY"],
  ["EPERM", "READ_ONLY"],
  ["EROFS", "READ_ONLY"],
  ["ENOSPC", "FULL"],
  ["EDQUOT", "FULL"],
]);

/** Says in plain words what SQLite or the operating system said about a file. */
export function toStorageError(file: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const { errcode, code } = error as { readonly errcode?: unknown; readonly code?: unknown };
  const fault =
    (typeof errcode === "number" ? SQLITE_FAULTS.get(errcode & 0xff) : SYSTEM_FAULTS.get(String(code))) ?? "UNUSABLE";
  const said = error instanceof Error ? error.message : String(error);
  return new StorageError(fault, file, REASONS[fault] ?? said, error);
}
