/** The file in a project that says how it was made. */
export const ANSWERS_FILE = ".toolwright-answers.json";

const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const MOST_BYTES = 255;

/** Says why a path inside a project cannot be used anywhere; undefined where it can. */
export function projectPathFault(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.startsWith("/")) return "it is absolute";
  if (Buffer.byteLength(path) > 1024) return "it is too long";
  for (const name of path.split("/")) {
    const fault = nameFault(name);
    if (fault !== undefined) return `${fault} (${JSON.stringify(name.slice(0, 100))})`;
  }
  return path.toLowerCase() === ANSWERS_FILE ? "that file is kept by toolwright" : undefined;
}

/** Says why a name cannot be that of a file or folder on every system; undefined where it can. */
export function nameFault(name: string): string | undefined {
  if (name === "") return "a name in it is empty";
  if (name === "." || name === "..") return "it has . or .. in it";
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(name)) return "a name has control characters";
  if (/[<>:"|?*\\/]/.test(name)) return 'a name has one of < > : " | ? * \\ / in it';
  if (/^[\s-]|[\s.]$/u.test(name)) return "a name begins with a space or dash, or ends with a space or dot";
  if (DEVICES.test(name)) return "a name is that of a device of Windows";
  // Both spellings are .git to some file systems.
  if (/^(?:\.git|git~\d)$/i.test(name.normalize("NFKC").replaceAll(/\p{Cf}/gu, ""))) return "it goes into .git";
  return Buffer.byteLength(name) > MOST_BYTES ? "a name is too long" : undefined;
}
