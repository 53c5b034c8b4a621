import { readDocument } from "../../src/documents/read-document.js";
import { READ_LIMITS, type Reading, type ReadLimits } from "../../src/documents/reading.js";

/** Reads a document that is given as text or bytes. */
export function read(name: string, content: string | Uint8Array, limits: Partial<ReadLimits> = {}): Promise<Reading> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return readDocument({ name, bytes }, { ...READ_LIMITS, ...limits });
}

/** The blocks of a reading as lines: type, level, and text. */
export function blockLines({ blocks, text }: Reading): string[] {
  return blocks.map(({ type, level, start, end }) => `${type}${level ?? ""}: ${text.slice(start, end)}`);
}
