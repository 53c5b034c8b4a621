import { lstat, open } from "node:fs/promises";
import { ofWhole } from "../format/fault.js";
import { type ReadPattern, readPattern } from "../format/read-pattern.js";
import { MOST_BYTES } from "../format/read-text.js";

/** What files said when they were last read: YAML takes milliseconds to read, and of many files mostly one has changed. */
export type Memory = Map<string, { readonly bytes: Buffer; readonly read: ReadPattern }>;

/** Reads the file of a pattern. A link is none: it would let a folder that is shared bring in any file of this machine. */
export async function readFile(place: string, shown: string, memory: Memory): Promise<ReadPattern> {
  const failed = (message: string, next: string): ReadPattern => ({
    faults: [ofWhole(shown, message, next)],
    locate: (fault) => ({ ...ofWhole(shown, fault.message, fault.next), severity: fault.severity }),
  });
  try {
    if (!(await lstat(place)).isFile()) return failed("It is no regular file.", "Put a copy of the file in its place.");
    const bytes = await readBytes(place);
    const known = memory.get(place);
    if (known?.bytes.equals(bytes)) return known.read;
    const read = await readPattern(bytes, shown);
    memory.set(place, { bytes, read });
    return read;
  } catch (error) {
    // Messages of the system name the whole path, which is nobody's business but the owner's.
    const { code, message } = error as NodeJS.ErrnoException;
    return failed(`It cannot be read (${code ?? message}).`, "Look whether it is there, and yours to read.");
  }
}

/** The bytes of a file, but not many more than a pattern may have. */
async function readBytes(place: string): Promise<Buffer> {
  const handle = await open(place, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0);
    return Buffer.from(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}
