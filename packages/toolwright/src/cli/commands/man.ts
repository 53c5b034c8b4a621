import { print, UsageError } from "@toolwright/kit/cli";
import type { Commands } from "../command.js";
import { writeManual } from "../manual/write-manual.js";

/** Prints the manual page. */
export async function printManual([stray]: readonly string[], version: string, all: Commands): Promise<void> {
  if (stray !== undefined) throw new UsageError(`"${stray}" is unknown`);
  await print(await writeManual(version, all));
}
