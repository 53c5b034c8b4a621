import type { JsonObject } from "@toolwright/engine";

/** The parameter that names the folder of the project. Every template accepts it. */
export const PROJECT_NAME = "project_name";
/** The folder of a project without a name. */
const DEFAULT_FOLDER = "project";

/** The file in a project that records how it was made. */
export const ANSWERS_FILE = ".toolwright-answers.json";

const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const MAX_NAME_BYTES = 255;

/** Returns why a path inside a project is not valid on every system, or undefined if it is. */
export function findPathError(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.startsWith("/")) return "it is absolute";
  if (Buffer.byteLength(path) > 1024) return "it is too long";
  for (const name of path.split("/")) {
    const error = findNameError(name);
    if (error !== undefined) return `${error} (${JSON.stringify(name.slice(0, 100))})`;
  }
  return path.toLowerCase() === ANSWERS_FILE ? "toolwright keeps its own data there" : undefined;
}

/** Returns why a name of a file or folder is not valid on every system, or undefined if it is. */
export function findNameError(name: string): string | undefined {
  if (name === "") return "a name in it is empty";
  if (name === "." || name === "..") return "it contains . or ..";
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name)) return "a name has control characters";
  if (/[<>:"|?*\\/]/.test(name)) return 'a name has one of < > : " | ? * \\ /';
  if (/^[\s-]|[\s.]$/u.test(name)) return "a name begins with a space or dash, or ends with a space or dot";
  if (DEVICE_NAME.test(name)) return "a name is reserved on Windows";
  // Some file systems open .git under both spellings.
  if (/^(?:\.git|git~\d)$/i.test(name.normalize("NFKC").replaceAll(/\p{Cf}/gu, ""))) return "it leads into .git";
  return Buffer.byteLength(name) > MAX_NAME_BYTES ? "a name is too long" : undefined;
}

/** Returns the default folder of a project: its name. */
export function folderFor(parameters: JsonObject): string {
  const name = parameters[PROJECT_NAME];
  return typeof name === "string" && findNameError(name) === undefined ? name : DEFAULT_FOLDER;
}
