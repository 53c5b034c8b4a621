import type { Writable } from "node:stream";

/**
 * Takes stdout for the protocol alone: whatever else writes to it, `console.log` of a tool or of a library, becomes a line
 * on stderr. Gives back the real write, and a way to undo.
 */
export function guardStdout(): { write: Writable["write"]; release: () => void } {
  const { stdout, stderr } = process;
  const original = stdout.write;
  const write = original.bind(stdout) as Writable["write"];
  stdout.write = ((chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    stderr.write(`[STDOUT] ${text.endsWith("\n") ? text : `${text}\n`}`);
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof done === "function") process.nextTick(done as () => void);
    return true;
  }) as typeof stdout.write;
  return {
    write,
    release: () => {
      stdout.write = original;
    },
  };
}
