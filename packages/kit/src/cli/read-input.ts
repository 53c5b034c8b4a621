import { readFileSync, statSync } from "node:fs";
import { ToolError } from "@toolwright/engine";
import type { FilePolicy } from "../files/file-policy.js";
import { Failure } from "./errors.js";

/** Reads stdin to its end. */
export async function readInput(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}

/** Reads a file, or stdin for `-`. With a file policy, files that it hides are not read. */
export async function readNamed(file: string, policy?: FilePolicy): Promise<string> {
  if (file === "-") return readInput();
  try {
    // Checked first, so that the error has the reason.
    if (policy !== undefined && statSync(file).isFile()) return await (await policy.accessFor(OWN_CALL)).readText(file);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw new Failure(`Cannot read ${JSON.stringify(file)}: ${REASONS[code] ?? message}`, 1, error);
  }
}

/** A command is no call of a client, so no roots of a client narrow what it reaches. */
const OWN_CALL = { signal: new AbortController().signal, supports: () => false, roots: async () => [] };

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
  EISDIR: "it is a folder",
};
