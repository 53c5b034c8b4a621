/** Signs that some disks take for nothing, so that a name with them is the name without. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** What is changed there can run programs at the next use of git; Windows knows the folder by a short name too. */
const INSIDE_GIT = /[\\/](?:\.git|git~\d+)(?:[\\/]|$)/i;

/** Whoever can write them decides what the tools may do from the next start on. */
const OWN_SETTINGS = /[\\/](?:toolwright\.config\.jsonc?|toolwr~\d+\.jso)$/i;

/** Why something must not be changed, although it lies in a folder in which all else may; undefined = it may. */
export function protectionOf(place: string): string | undefined {
  const plain = place.replaceAll(IGNORED, "").normalize("NFKC");
  if (INSIDE_GIT.test(plain)) return "what is inside .git is not changed as files; use git";
  if (OWN_SETTINGS.test(plain)) return "it has the settings of this server, which a person changes and no tool";
  return undefined;
}
