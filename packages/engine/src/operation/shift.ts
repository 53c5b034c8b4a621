import { rename } from "node:fs/promises";

/** Makes room for a new file: the full one becomes `file.1`, that one `file.2`, and so on; the oldest goes. */
export async function shift(file: string, keep: number): Promise<void> {
  for (let number = keep; number >= 1; number -= 1) {
    const from = number === 1 ? file : `${file}.${number - 1}`;
    await rename(from, `${file}.${number}`).catch((error: NodeJS.ErrnoException) => {
      // There are not so many yet.
      if (error.code !== "ENOENT") throw error;
    });
  }
}
