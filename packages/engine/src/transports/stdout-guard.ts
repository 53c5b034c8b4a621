import type { Writable } from "node:stream";
import { writeStderr } from "../server/stderr.js";

/**
 * Takes stdout for the protocol alone: whatever else writes to it, `console.log` of a tool or of a library, becomes a line
 * on stderr. Gives the real write.
 */
export function guardStdout(): Writable["write"] {
  const { stdout } = process;
  const write = stdout.write.bind(stdout) as Writable["write"];
  const divert = (chunk: unknown, encoding?: unknown, callback?: unknown): boolean => {
    const text = chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : chunk;
    if (typeof text === "string") writeStderr(`[STDOUT] ${text.endsWith("\n") ? text : `${text}\n`}`);
    const done = [chunk, encoding, callback].find((given) => typeof given === "function");
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  stdout.write = divert;
  // Ending stdout would end the conversation; only its last words are taken.
  stdout.end = (chunk?: unknown, encoding?: unknown, callback?: unknown): typeof stdout => {
    divert(chunk, encoding, callback);
    return stdout;
  };
  return write;
}
