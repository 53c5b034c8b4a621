import path from "node:path";
import { type Call, type JsonObject, ToolError } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import type { FolderLookup } from "../tasks/done-condition.js";
import type { DoneCondition } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";

/** Who makes a call: the actor that it names, the verified user, the actor of the settings, or the name of the client. */
export function actorOf(
  todo: TodoContext,
  call: Pick<Call, "principal" | "caller">,
  actor?: string,
): string | undefined {
  const name = call.caller.info?.["name"];
  const client = typeof name === "string" && name !== "" ? name.replaceAll("\0", "").slice(0, 200) : undefined;
  return actor ?? call.principal ?? todo.settings.actor ?? client;
}

/** The same, for tools that need an actor. Throws a `ToolError` if there is none. */
export function requireActor(todo: TodoContext, call: Pick<Call, "principal" | "caller">, named?: string): string {
  const actor = actorOf(todo, call, named);
  if (actor !== undefined) return actor;
  throw new ToolError("The caller is unknown.", {
    code: "INVALID_ARGUMENT",
    hint: { action: "give your name as actor" },
    details: { argument: "actor" },
  });
}

/** Accepts done-conditions in the form in which tasks contain them, too: with `kind` and the folder, which the server sets. */
export function normalizeCondition(input: JsonObject): JsonObject {
  const { done_when: condition } = input;
  if (!isObject(condition)) return input;
  const { kind, cwd: _cwd, ...rest } = condition;
  const isConsistent = kind === "command" ? "command" in rest : kind === "file_exists" && "path" in rest;
  return isConsistent ? { ...input, done_when: rest } : input;
}

/** Validates a done-condition, and makes it absolute for the first root of the call. */
export async function readCondition(todo: TodoContext, input: JsonObject, call: Call): Promise<DoneCondition> {
  const condition = toCondition(input);
  const { isAbsolute, toAbsolute } = await import("../tasks/done-condition.js");
  const folder = isAbsolute(condition) ? path.sep : await folderOf(todo, call)();
  return folder === undefined ? condition : toAbsolute(condition, folder);
}

function toCondition({ path: file, command, ...unknown }: JsonObject): DoneCondition {
  if (Object.keys(unknown).length === 0) {
    if (typeof file === "string" && file !== "" && command === undefined) return { kind: "file_exists", path: file };
    if (isCommand(command) && file === undefined) return { kind: "command", command };
  }
  throw new ToolError(
    'Invalid done_when: it must be {"path": "FILE"} or {"command": ["PROGRAM", "ARGUMENT", …]}, and nothing else.',
    { code: "INVALID_ARGUMENT", details: { argument: "done_when" } },
  );
}

const isCommand = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");

/** Looks up the first root of a call; undefined if there is none, or if the database is shared between machines. */
export const folderOf =
  (todo: TodoContext, call: Call): FolderLookup =>
  async () =>
    todo.isShared ? undefined : (await todo.host.files.accessFor(call)).roots[0];
