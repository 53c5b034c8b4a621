import { ToolError } from "@toolwright/engine";
import { TimeoutExceeded } from "./with-timeout.js";

/** The words of a path cannot be right. */
export const wrongPath = (inputPath: string, reason: string): ToolError =>
  new ToolError(`Cannot use the path ${quote(inputPath)}: ${reason}.`, {
    code: "INVALID_ARGUMENT",
    details: { path: cut(inputPath) },
  });

/** The error for a path outside the roots. The message is the same whether or not it exists. */
export const forbiddenPath = (inputPath: string, roots: readonly string[], via = ""): ToolError =>
  new ToolError(
    roots.length === 0
      ? `Cannot use ${quote(inputPath)}: no folder is allowed at the moment. The server allows those of --root FOLDER, or of "files.roots" in the configuration, and the client may narrow them.`
      : `Cannot use ${quote(inputPath)}: it ${via}lies outside the allowed folders. Use a path inside ${roots.join(" or ")}.`,
    { code: "FORBIDDEN_PATH", details: { path: cut(inputPath), allowed: [...roots] } },
  );

/** The error for a path that the policy hides or protects. */
export const deniedPath = (inputPath: string, rule: string): ToolError =>
  new ToolError(`Cannot use ${quote(inputPath)}: ${rule}.`, {
    code: "FORBIDDEN_PATH",
    details: { path: cut(inputPath) },
  });

/** The error for a dangling link: a new file would be created at its target. */
export const danglingLink = (inputPath: string): ToolError =>
  new ToolError(`Cannot use ${quote(inputPath)}: it goes through a symbolic link that leads to nothing.`, {
    code: "FORBIDDEN_PATH",
    details: { path: cut(inputPath), system: "ENOENT" },
  });

/** The error for a path that does not exist. */
export const notFound = (inputPath: string, nearest?: string): ToolError =>
  new ToolError(
    `${quote(inputPath)} does not exist.${nearest === undefined ? "" : ` Did you mean ${quote(nearest)}?`}`,
    {
      code: "NOT_FOUND",
      details: { path: cut(inputPath), ...(nearest !== undefined && { suggestion: nearest }) },
    },
  );

/** The error for an allowed folder that was removed after the server started. */
export const rootNotFound = (inputPath: string, root: string): ToolError =>
  new ToolError(`Cannot use ${quote(inputPath)}: the allowed folder ${quote(root)} does not exist any more.`, {
    code: "NOT_FOUND",
    details: { path: cut(inputPath) },
  });

/** The error for an entry of another kind. */
export const wrongKind = (inputPath: string, found: string, wanted: string): ToolError =>
  new ToolError(`${quote(inputPath)} is ${found}, not ${wanted}.`, {
    code: "INVALID_ARGUMENT",
    details: { path: cut(inputPath), expected: wanted, got: found },
  });

/** The error for a path that changed between the check and the operation. */
export const changedMeanwhile = (inputPath: string): ToolError =>
  new ToolError(
    `Cannot use ${quote(inputPath)}: it was replaced while it was being opened. Nothing was changed; try again.`,
    {
      code: "CONFLICT",
      details: { path: cut(inputPath) },
    },
  );

/** Something is already where something new was to be. */
export const alreadyExists = (inputPath: string): ToolError =>
  new ToolError(`${quote(inputPath)} already exists.`, { code: "ALREADY_EXISTS", details: { path: cut(inputPath) } });

const quote = (text: string): string => JSON.stringify(cut(text));

/** Very long paths are shortened in messages. */
const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

const WORDS: Readonly<Record<string, readonly [code: string, words: string]>> = {
  EACCES: ["FORBIDDEN_PATH", "the user of this server may not"],
  EPERM: ["FORBIDDEN_PATH", "the system does not permit it"],
  EROFS: ["FORBIDDEN_PATH", "the disk is read-only"],
  ENOSPC: ["UNAVAILABLE", "the disk is full. Nothing was lost; make room and try again"],
  EDQUOT: ["UNAVAILABLE", "the disk quota is used up. Nothing was lost; make room and try again"],
  ENAMETOOLONG: ["INVALID_ARGUMENT", "a name is too long"],
  ELOOP: ["FORBIDDEN_PATH", "its symbolic links lead in a circle"],
  ENOTDIR: ["NOT_FOUND", "a part of it is a file, not a folder"],
  EISDIR: ["INVALID_ARGUMENT", "it is a folder"],
  ENOTEMPTY: ["INVALID_ARGUMENT", "the folder is not empty"],
  EXDEV: ["INVALID_ARGUMENT", "both places must be on one disk"],
  EBUSY: ["UNAVAILABLE", "another program is using it. Try again"],
  EMFILE: ["UNAVAILABLE", "too many files are open. Try again"],
  EIO: ["UNAVAILABLE", "the disk does not work properly"],
};

/** Converts a system error for a path into a `ToolError`; other errors are returned unchanged. */
export function toFileError(error: unknown, inputPath: string): unknown {
  if (error instanceof TimeoutExceeded) {
    const wait = error.afterMs === 0 ? "Earlier requests still hang" : `No answer within ${error.afterMs} ms`;
    return new ToolError(
      `Cannot use ${quote(inputPath)}: the file system hangs. ${wait}. Is it a network or cloud drive?`,
      {
        code: "TIMEOUT",
        details: { path: cut(inputPath) },
      },
    );
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof ToolError || typeof code !== "string") return error;
  if (code === "ENOENT") return notFound(inputPath);
  if (code === "EEXIST") return alreadyExists(inputPath);
  // An error of Node itself is a bug.
  if (syscall === undefined && WORDS[code] === undefined) return error;
  const [named, words] = WORDS[code] ?? ["UNAVAILABLE", `the system answered ${code}`];
  return new ToolError(`Cannot use ${quote(inputPath)}: ${words}.`, {
    code: named,
    details: { path: cut(inputPath), system: code },
    cause: error,
  });
}

/** The error for a page after the end of the file. */
export const pastTheEnd = (inputPath: string, from: number, most: number, unit = "line"): ToolError =>
  new ToolError(
    `Cannot read ${JSON.stringify(inputPath)} from ${unit} ${from}: it has ${most === 1 ? `1 ${unit}` : `${most} ${unit}s`}.`,
    { code: "INVALID_ARGUMENT", details: { path: inputPath, expected: `at most ${most}`, got: from } },
  );

/** The error for a file that is too large. */
export const tooLarge = (inputPath: string, size: number, most: number, advice: string): ToolError =>
  new ToolError(
    `Cannot read ${JSON.stringify(inputPath)} at once: it has ${size} bytes, at most ${most} are. ${advice}`,
    {
      code: "TOO_LARGE",
      details: { path: inputPath, expected: `at most ${most} bytes`, got: size },
    },
  );
