import { builtin } from "../server/builtin.js";
import type { Server } from "../server/server.js";
import { recordingOf } from "./recording.js";

/**
 * Writes the last messages of a server to a file at once, for the moment before a process ends; says whether it could, and
 * never throws.
 */
export function dumpRecording(server: Server, file: string): boolean {
  try {
    const fs = builtin("node:fs");
    const path = builtin("node:path");
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, recordingOf(server), { mode: 0o600 });
    return true;
  } catch (error) {
    server.log({ level: "error", message: `the last messages could not be written to ${file}`, error });
    return false;
  }
}
