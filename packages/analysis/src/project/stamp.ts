import type { FileContents } from "@toolwright/kit/files";

/** What the system says of a file that changes whenever its content does. */
export const stampOf = ({ size, mtimeMs, ctimeMs, ino }: FileContents["stats"]): string =>
  `${size} ${mtimeMs} ${ctimeMs} ${ino}`;

/** How long a clock of a file system may stand still: those of today tick in milliseconds, some old ones every two seconds. */
const FINE_MS = 100;
const COARSE_MS = 2000;

/**
 * Whether a stamp that was taken before the content was read stands for that content. A file may be written again within one tick
 * of the clock, and then looks the same; so what was changed just now has to be read again next time.
 */
export function isSettled({ mtimeMs, ctimeMs }: FileContents["stats"], readAt: number): boolean {
  const changed = Math.max(mtimeMs, ctimeMs);
  const isCoarse = mtimeMs % 1000 === 0 && ctimeMs % 1000 === 0;
  return changed < readAt - (isCoarse ? COARSE_MS : FINE_MS);
}
