// Not imported: the wrapper that Node makes for an import costs more at start than the rest of this file.
const { isAscii, isUtf8, transcode } = process.getBuiltinModule("node:buffer");

/** Between these sizes, text that is not ASCII is decoded five times faster by way of UTF-16; it takes a buffer of twice its size. */
const TRANSCODED = { least: 512, most: 64 * 1024 };

/** The text, or undefined where the bytes are not UTF-8. */
export function decode(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) return undefined;
  const isWorthIt = bytes.length >= TRANSCODED.least && bytes.length <= TRANSCODED.most;
  // Node has it only with its tables of Unicode, which a build may leave out.
  return isWorthIt && transcode ? transcode(bytes, "utf8", "utf16le").toString("utf16le") : bytes.toString();
}
