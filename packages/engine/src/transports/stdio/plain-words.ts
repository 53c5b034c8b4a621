import { createRedaction, type Redaction } from "../../server/redact.js";

/** Longer words than this say no more. */
const MOST = 500;

/** What an error says, in one line, without secrets and without the folders of this machine. */
export function plainWords(error: unknown, redaction: Redaction = createRedaction()): string {
  const words = redaction
    .text(withoutFolders(messageOf(error)))
    .replaceAll(/\s+/g, " ")
    .trim();
  if (words === "") return "it gave no reason";
  return words.length <= MOST ? words : `${words.slice(0, MOST)}…`;
}

/** Of each absolute path and file URL only the last name is left. */
export function withoutFolders(text: string): string {
  return text
    .replaceAll(/\bfile:\/\/[^\s"'`)]*\/([^\s"'`)/]*)/g, "$1")
    .replaceAll(/(?<![\w.:/\\@-])\/(?:[^\s"'`:;,()/]+\/)+([^\s"'`:;,()/]*)/g, "$1")
    .replaceAll(/(?<![\w])[A-Za-z]:\\(?:[^\s"'`:;,()\\]+\\)*([^\s"'`:;,()\\]*)/g, "$1");
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "";
  }
}
