import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Failure } from "@toolwright/kit/cli";
import { type ConfigFile, reasonOf } from "./config-file.js";

const ENDING = ".toolwright-backup";

/** More of them are made only by somebody who should clear up. */
const MOST = 100;

/** Keeps a copy of a file beside it, and says where. One that has the same content is enough; none is ever overwritten. */
export function keepBackup({ place, bytes, file }: ConfigFile): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    for (const backup of names(place)) {
      const old = contentOf(backup);
      if (old?.equals(bytes)) return backup;
      if (old !== undefined) continue;
      // Whoever may not read the file may not read its copy.
      const mode = statSync(place).mode & 0o7777;
      writeFileSync(backup, bytes, { flag: "wx", mode: 0o600 });
      chmodSync(backup, mode);
      return backup;
    }
  } catch (error) {
    throw new Failure(`Cannot make a backup of ${file}, so it stays as it is: ${reasonOf(error)}`, 1, error);
  }
  throw new Failure(`Cannot make a backup of ${file}: there are ${MOST} already; remove some`, 1);
}

/** The backups of a file, oldest first. */
export function backupsOf(place: string): readonly { readonly file: string; readonly bytes: Buffer }[] {
  return names(place).flatMap((file) => {
    const bytes = contentOf(file);
    return bytes === undefined ? [] : [{ file, bytes }];
  });
}

/** Takes a backup away that is what the file itself is again. */
export function dropBackup(file: string): void {
  rmSync(file, { force: true });
}

const names = (place: string): readonly string[] =>
  Array.from({ length: MOST }, (_, at) => (at === 0 ? `${place}${ENDING}` : `${place}${ENDING}-${at + 1}`));

function contentOf(file: string): Buffer | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined;
}
