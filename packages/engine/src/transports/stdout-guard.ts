import type { Writable } from "node:stream";
import { builtin } from "../server/builtin.js";
import { writeStderr } from "../server/stderr.js";
import { consoleUsesStdout } from "./runtime.js";

/** Under this name a guard keeps the real write, for another copy of the engine in the same process. */
const REAL = Symbol.for("toolwright.stdout");

type Guarded = Writable["write"] & { [REAL]?: Writable["write"] };

/**
 * Takes stdout for the protocol alone: whatever else writes to it, `console.log` of a tool or of a library, becomes a line
 * on stderr. Gives the real write.
 */
export function guardStdout(): Writable["write"] {
  const { stdout } = process;
  const known = (stdout.write as Guarded)[REAL];
  if (known !== undefined) return known;
  const write = stdout.write.bind(stdout) as Writable["write"];
  const divert = (chunk: unknown, encoding?: unknown, callback?: unknown): boolean => {
    const text = chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : chunk;
    if (typeof text === "string") writeStderr(`[STDOUT] ${text.endsWith("\n") ? text : `${text}\n`}`);
    const done = [chunk, encoding, callback].find((given) => typeof given === "function");
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  stdout.write = Object.assign(divert, { [REAL]: write });
  if (!consoleUsesStdout) leadConsole();
  // Ending stdout would end the conversation; only its last words are taken.
  stdout.end = (chunk?: unknown, encoding?: unknown, callback?: unknown): typeof stdout => {
    divert(chunk, encoding, callback);
    return stdout;
  };
  return write;
}

/** In the place of a `console` that writes past `process.stdout`, one of Node's kind is put. */
function leadConsole(): void {
  const { Console } = builtin("node:console");
  Object.assign(console, new Console(process.stdout, process.stderr));
}

/** Gives stdout back to everybody. */
export function releaseStdout(): void {
  const { stdout } = process;
  if ((stdout.write as Guarded)[REAL] === undefined) return;
  // What stands below is the stream's own.
  for (const member of ["write", "end"] as const) Reflect.deleteProperty(stdout, member);
}
