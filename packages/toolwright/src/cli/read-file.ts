import { readFile } from "node:fs/promises";

/** Reads a file that an option names. Throws an error that names both and says why it cannot. */
export async function readNamedFile(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`Cannot read ${file} (${option}): ${REASONS[code ?? ""] ?? message}`, { cause: error });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};
