import type { Writable } from "node:stream";
import { writeStderr } from "../server/stderr.js";

/**
 * Takes stdout for the protocol alone: whatever else writes to it, `console.log` of a tool or of a library, becomes a line
 * on stderr. Gives the real write.
 */
export function guardStdout(): Writable["write"] {
  const { stdout } = process;
  const write = stdout.write.bind(stdout) as Writable["write"];
  stdout.write = (chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    writeStderr(`[STDOUT] ${text.endsWith("\n") ? text : `${text}\n`}`);
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
  return write;
}
