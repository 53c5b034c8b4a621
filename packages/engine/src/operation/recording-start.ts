import { refuseUnknown } from "../server/known-members.js";
import type { Server } from "../server/server.js";
import type { OpenRecording, RecordOptions } from "./recording-options.js";

/**
 * Writes every message of a server to a file from now on, without secrets. Throws `TypeError` for wrong options, and `Error`
 * where the file cannot be written.
 */
export async function recordTo(server: Server, options: RecordOptions): Promise<OpenRecording> {
  refuseUnknown("record", options, { file: true, maxBytes: true, keep: true });
  const { file, maxBytes = 10 * 1024 * 1024, keep = 3 } = options;
  if (typeof file !== "string" || file === "") throw new TypeError("Cannot record: file must be a path");
  for (const [name, value] of Object.entries({ maxBytes, keep })) {
    if (!(Number.isInteger(value) && value > 0))
      throw new TypeError(`Cannot record: ${name} must be a positive whole number`);
  }
  if (server.recorder === undefined) throw new TypeError("Cannot record: the server was created with recorder: false");
  const { recordTo: open } = await import("./recording-to.js");
  return open(server, { file, maxBytes, keep });
}
