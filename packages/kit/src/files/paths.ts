import path from "node:path";

/** What is wrong with the words of a path before anything is looked up, or undefined. Never repeats more of it than is needed. */
export function findPathError(inputPath: string, platform: NodeJS.Platform = process.platform): string | undefined {
  if (inputPath.trim() === "") return "a path must not be empty";
  if (inputPath.includes("\0")) return "a path must not contain a NUL character";
  if (inputPath.length > LONGEST) return `a path must not have more than ${LONGEST} characters`;
  if (inputPath === "~" || inputPath.startsWith("~/") || inputPath.startsWith("~\\"))
    return "~ is not expanded; give a path inside a root";
  return platform === "win32" ? windowsFault(inputPath) : undefined;
}

const LONGEST = 4096;

/** Devices that Windows finds in every folder, whatever comes after a dot. */
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i;

function windowsFault(inputPath: string): string | undefined {
  if (/^[\\/]{2}[.?][\\/]/.test(inputPath)) return "paths of devices (\\\\.\\ and \\\\?\\) are not accepted";
  if (/^[A-Za-z]:(?![\\/])/.test(inputPath)) return "a path with a drive must be absolute, such as C:\\work";
  const parts = inputPath.replace(/^[A-Za-z]:/, "").split(/[\\/]/);
  if (parts.some((part) => part.includes(":"))) return "a path must not name a stream of a file (with a colon)";
  if (parts.some((part) => part !== "." && part !== ".." && /[. ]$/.test(part)))
    return "a name must not end with a dot or a space, which Windows drops";
  const device = parts.find((part) => DEVICES.test(part.replace(/[. ].*$/, "")));
  return device === undefined ? undefined : `${device} is a device`;
}

/** Whether a path is a folder or lies below it. Both are absolute and normal; `platform` says how names are compared. */
export function isWithin(folder: string, realPath: string, platform: NodeJS.Platform = process.platform): boolean {
  const words = platform === "win32" ? path.win32 : path.posix;
  // Nearly always it is so by the letter, and listings ask it of every entry.
  if (realPath.startsWith(folder) && (realPath.length === folder.length || realPath[folder.length] === words.sep))
    return true;
  // On Windows `relative` compares without regard to case, and gives an absolute path for another drive or share.
  const way = words.relative(folder, realPath);
  return way === "" || !(way === ".." || way.startsWith(`..${words.sep}`) || words.isAbsolute(way));
}

/** Whether a place has a URI that is safe: some names have signs that no URI may hold. */
export const hasUri = (realPath: string): boolean => !/\p{Cc}|\\/u.test(realPath) || path.sep === "\\";

/** The `file://` URI of a place, with all escaped that a URI does not have as it is. */
export function toFileUri(realPath: string): string {
  const names = realPath.split(path.sep).join("/").replace(/^\//, "").split("/");
  // A name of Windows may have half a character, which no URI can.
  const escaped = names.map((name) => encodeURIComponent(Buffer.from(name, "utf8").toString("utf8")));
  return `file:///${escaped.join("/").replace(/^([A-Za-z])%3A/, "$1:")}`;
}
