import path from "node:path";
import { findPathError, fromUri, isWithin, wrongPath } from "@toolwright/kit/files";
import { showCommand, splitCommand } from "@toolwright/kit/processes";
import type { DoneCheck } from "./task.js";

/** Looks up a folder where one is needed; undefined = there is none. */
export type FolderLookup = () => Promise<string | undefined>;

/** A done-condition as a folder understands it: whoever asks from elsewhere asks of the same file, or runs it in the same folder. */
export function settle(check: DoneCheck, folder: string): DoneCheck {
  if (check.kind === "file_exists") return { ...check, path: path.resolve(folder, plainPath(check.path)) };
  return { ...check, cwd: path.resolve(folder, check.cwd ?? ".") };
}

/** The same for another folder to settle: what lies below this one is told from it on. */
export function unsettle(check: DoneCheck, folder: string): DoneCheck {
  if (check.kind === "file_exists") return { ...check, path: fromFolder(folder, check.path) };
  return check.cwd === undefined ? check : { ...check, cwd: fromFolder(folder, check.cwd) };
}

/** Whether no folder is needed to understand a done-condition, or none would help. */
export function isSettled(check: DoneCheck): boolean {
  if (check.kind === "command") return check.cwd !== undefined && path.isAbsolute(check.cwd);
  return check.path.startsWith("file://") || path.isAbsolute(check.path) || findPathError(check.path) !== undefined;
}

/** The path that somebody has given, without what only reads like one. Throws a `ToolError`. */
function plainPath(given: string): string {
  const words = given.startsWith("file://") ? fromUri(given) : given;
  const fault = findPathError(words);
  if (fault !== undefined) throw wrongPath(given, fault);
  return words;
}

function fromFolder(folder: string, place: string): string {
  if (!path.isAbsolute(place) || !isWithin(folder, place)) return place;
  const way = path.relative(folder, place).replaceAll(path.sep, "/") || ".";
  // A name such as "~" would be taken for something else.
  return findPathError(way) === undefined ? way : `./${way}`;
}

/** Reads a command as people type it. Throws a `ToolError`. */
export const readCommandLine = (line: string): readonly string[] => splitCommand(line).argv;

/** A command as people type it. */
export const commandText = (command: readonly string[]): string => showCommand(command);
