import type { DoneCheck } from "../../packs/todo/tasks/task.js";
import { UsageError } from "../usage-error.js";
import type { Options } from "./options.js";

/** The done-condition that was given; undefined = none was. */
export function doneWhen(options: Options): DoneCheck | undefined {
  const [path] = options["--done-file"] ?? [];
  const [line] = options["--done-command"] ?? [];
  if (path !== undefined && line !== undefined)
    throw new UsageError("--done-file and --done-command exclude each other");
  if (path !== undefined) return { kind: "file_exists", path };
  return line === undefined ? undefined : { kind: "command", command: argumentsOf(line) };
}

/** Words with spaces between, or a JSON array where an argument has spaces in it. */
function argumentsOf(line: string): readonly string[] {
  if (!line.trimStart().startsWith("[")) return line.trim().split(/\s+/);
  try {
    const parsed = JSON.parse(line) as unknown;
    if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((each) => typeof each === "string")) return parsed;
  } catch {
    // The same is wrong with it as with an array of something else.
  }
  throw new UsageError(`--done-command needs words, or a JSON array of strings, not ${line}`);
}
