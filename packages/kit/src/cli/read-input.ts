import { readFileSync } from "node:fs";
import { Failure } from "./errors.js";

/** Reads stdin to its end. */
export async function readInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

/** Reads a file, or stdin for `-`. */
export async function readNamed(file: string): Promise<string> {
  if (file === "-") return readInput();
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new Failure(`Cannot read ${JSON.stringify(file)}: ${REASONS[code] ?? message}`, 1, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};
