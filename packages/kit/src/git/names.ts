import { isUtf8 } from "node:buffer";

/** A name that git gave, as text: bytes that are no UTF-8 stand there as \xNN. */
export function toName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  return bytes
    .toString("latin1")
    .replaceAll(/[\u0080-\u00ff]/g, (one) => `\\x${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
