import { ToolError } from "@toolwright/engine";
import { UsageError } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { readCommandLine, settle } from "../tasks/done-condition.js";
import type { DoneCheck } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";
import type { Options } from "./options.js";

/** The done-condition that was given, for the current folder unless others share the database; undefined = none was. */
export function doneWhen(options: Options, { isShared }: Pick<TodoContext, "isShared">): DoneCheck | undefined {
  const check = givenCheck(options);
  return check === undefined || isShared ? check : told("--done-file", () => settle(check, currentFolder()));
}

function givenCheck(options: Options): DoneCheck | undefined {
  const [path] = options["--done-file"] ?? [];
  const [line] = options["--done-command"] ?? [];
  if (path !== undefined && line !== undefined)
    throw new UsageError("--done-file and --done-command exclude each other");
  if (path !== undefined) return { kind: "file_exists", path };
  return line === undefined ? undefined : { kind: "command", command: argumentsOf(line) };
}

/** Words with spaces between and quotes around those that have some, or a JSON array. */
function argumentsOf(line: string): readonly string[] {
  if (!line.trimStart().startsWith("[")) return told("--done-command", () => readCommandLine(line));
  try {
    const parsed = JSON.parse(line) as unknown;
    if (Array.isArray(parsed) && parsed.length > 0 && parsed.every((each) => typeof each === "string")) return parsed;
  } catch {
    // The same is wrong with it as with an array of something else.
  }
  throw new UsageError(`--done-command needs words, or a JSON array of strings, not ${line}`);
}

/** What is wrong with a value is wrong with the command line. */
function told<Value>(option: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof ToolError ? new UsageError(`${option}: ${error.message.replace(/\.$/, "")}`) : error;
  }
}
