import path from "node:path";
import type { Call } from "@toolwright/engine";
import type { Desk } from "../desk.js";
import type { DoneCheck } from "../tasks/task.js";

/** A done-condition as the schema has let it through, for the folder that the call looks into. */
export async function readCheck(desk: Desk, given: unknown, call: Call): Promise<DoneCheck> {
  const { isSettled, settle } = await import("../tasks/done-check.js");
  const check = given as DoneCheck;
  const folder = isSettled(check) ? path.sep : await folderOf(desk, call);
  return folder === undefined ? check : settle(check, folder);
}

/** The folder into which a call looks first; undefined = it may look into none. */
export const folderOf = async (desk: Desk, call: Call): Promise<string | undefined> =>
  (await desk.reach(call)).roots[0];
