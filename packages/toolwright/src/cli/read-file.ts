import { readFile } from "node:fs/promises";
import { cannotRead } from "../config/load.js";

/** Reads a file that an option names. Throws an error that names both and says why it cannot. */
export async function readNamedFile(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw cannotRead(file, option, error);
  }
}
