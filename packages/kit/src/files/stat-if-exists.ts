import type { Stats } from "node:fs";
import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "./file-access.js";

/** What the system says of a path on which a file stands for a folder, or a link leads to nothing. */
const ABSENCES: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR"]);

/** What is there. Undefined where nothing is or can be; a path that leads out is a fault all the same. */
export async function statIfExists(reach: FileAccess, given: string): Promise<Stats | undefined> {
  try {
    return (await reach.look(given))?.stats;
  } catch (error) {
    if (error instanceof ToolError && ABSENCES.has(error.details?.["system"])) return undefined;
    throw error;
  }
}
