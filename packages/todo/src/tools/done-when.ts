import path from "node:path";
import type { Call } from "@toolwright/engine";
import type { Desk } from "../desk.js";
import type { FolderLookup } from "../tasks/done-check.js";
import type { DoneCheck } from "../tasks/task.js";

/** A done-condition as the schema has let it through, for the folder that the call looks into. */
export async function readCheck(desk: Desk, given: unknown, call: Call): Promise<DoneCheck> {
  const { isSettled, settle } = await import("../tasks/done-check.js");
  const check = given as DoneCheck;
  const folder = isSettled(check) ? path.sep : await folderOf(desk, call)();
  return folder === undefined ? check : settle(check, folder);
}

/** Looks up the folder into which a call looks first; undefined = it may look into none, or that of another machine is as good. */
export const folderOf =
  (desk: Desk, call: Call): FolderLookup =>
  async () =>
    desk.isShared ? undefined : (await desk.reach(call)).roots[0];
