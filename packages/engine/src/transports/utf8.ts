import { builtin } from "../server/builtin.js";
import { decodesFast } from "./runtime.js";

const { isAscii, isUtf8, transcode } = builtin("node:buffer");

/** Where decoding is slow, it is five times faster by way of UTF-16 between these sizes; it takes a buffer of twice the text's size. */
const TRANSCODED = { least: 512, most: 64 * 1024 };

/** The text, or undefined where the bytes are not UTF-8. */
export function decode(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) return undefined;
  const isWorthIt = !decodesFast && bytes.length >= TRANSCODED.least && bytes.length <= TRANSCODED.most;
  // Node has it only with its tables of Unicode, which a build may leave out.
  return isWorthIt && transcode ? transcode(bytes, "utf8", "utf16le").toString("utf16le") : bytes.toString();
}
