import { isWithin } from "./paths.js";

/** Signs that some disks take for nothing, so that a name with them is the name without. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** What is changed there can run programs at the next use of git; Windows knows the folder by a short name too. */
const INSIDE_GIT = /[\\/](?:\.git|git~\d+)(?:[\\/]|$)/i;

/** Whoever can write them decides what the tools may do from the next start on. */
const OWN_SETTINGS = /[\\/](?:toolwright\.config\.jsonc?|toolwr~\d+\.jso)$/i;

/**
 * Why something must not be changed, although it lies in a folder in which all else may; undefined = it may. `settings` are the real
 * paths from which the settings were read.
 */
export function protectionOf(place: string, settings: readonly string[] = []): string | undefined {
  const plain = plainOf(place);
  if (INSIDE_GIT.test(plain)) return "what is inside .git is not changed as files; use git";
  if (OWN_SETTINGS.test(plain) || settings.some((file) => isWithinAnyCase(file, place)))
    return "it has the settings of this server, which a person changes and no tool";
  return undefined;
}

/** Whether a place is a file with settings of the server, or one of the folders around the settings that were read. */
export const holdsSettings = (place: string, settings: readonly string[]): boolean =>
  OWN_SETTINGS.test(plainOf(place)) || settings.some((file) => isWithinAnyCase(place, file));

/** Some disks take names that differ in case, or in how their letters are put together, for one. */
const isWithinAnyCase = (folder: string, place: string): boolean => isWithin(foldedOf(folder), foldedOf(place));

const foldedOf = (place: string): string => plainOf(place).toLowerCase();

const plainOf = (place: string): string => place.replaceAll(IGNORED, "").normalize("NFKC");
