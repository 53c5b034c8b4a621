import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import type { FolderLookup } from "../tasks/done-condition.js";
import type { DoneCheck } from "../tasks/task.js";
import type { TodoContext } from "../todo-context.js";

/**
 * Who does what a call asks for: the one whom it names, or whom the transport has verified, or whom the settings name, or the
 * client by the name that it gives itself.
 */
export function actorOf(
  todo: TodoContext,
  call: Pick<Call, "principal" | "caller">,
  named?: string,
): string | undefined {
  const client = call.caller.info?.["name"];
  const own = typeof client === "string" && client !== "" ? client.replaceAll("\0", "").slice(0, 200) : undefined;
  return named ?? call.principal ?? todo.settings.actor ?? own;
}

/** Who acts, where somebody must be named. Throws where nobody is. */
export function needsActor(actor: string | undefined): string {
  if (actor !== undefined) return actor;
  throw new ToolError("Cannot tell who you are: give your name as actor.", {
    code: "INVALID_ARGUMENT",
    details: { argument: "actor" },
  });
}

/** A done-condition as the schema has let it through, for the folder that the call looks into. */
export async function readCheck(todo: TodoContext, given: unknown, call: Call): Promise<DoneCheck> {
  const { isSettled, settle } = await import("../tasks/done-condition.js");
  const check = given as DoneCheck;
  const folder = isSettled(check) ? path.sep : await folderOf(todo, call)();
  return folder === undefined ? check : settle(check, folder);
}

/** Looks up the folder into which a call looks first; undefined = it may look into none, or that of another machine is as good. */
export const folderOf =
  (todo: TodoContext, call: Call): FolderLookup =>
  async () =>
    todo.isShared ? undefined : (await todo.reach(call)).roots[0];
