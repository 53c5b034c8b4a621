import { isObject, type JsonObject } from "../jsonrpc/json.js";

/** What reading a resource gave, as the newest revision writes it. Throws `TypeError` for what is no contents. */
export function writePieces(value: unknown, uri: string, mimeType: string | undefined): JsonObject[] {
  if (typeof value === "string") return [writePiece({ text: value }, uri, mimeType)];
  if (value instanceof Uint8Array) return [writePiece({ blob: value }, uri, mimeType)];
  const pieces: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (pieces.length === 0) throw new TypeError("A resource gave an empty list; undefined means that there is none");
  return pieces.map((piece) => writePiece(piece, uri, mimeType));
}

function writePiece(piece: unknown, uri: string, mimeType: string | undefined): JsonObject {
  const { text, blob, meta, ...own } = (isObject(piece) ? piece : {}) as Record<string, unknown>;
  const type = own["mimeType"] ?? mimeType;
  return {
    uri: typeof own["uri"] === "string" ? own["uri"] : uri,
    ...(typeof type === "string" && { mimeType: type }),
    ...(typeof text === "string" ? { text } : { blob: toBase64(blob) }),
    ...(isObject(meta) && { _meta: meta }),
  };
}

function toBase64(blob: unknown): string {
  if (blob instanceof Uint8Array) return Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength).toString("base64");
  if (typeof blob !== "string") throw new TypeError("A resource gave something that is neither text nor bytes");
  // Clients decode it, and one that cannot loses the whole result.
  if (blob.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(blob))
    throw new TypeError("A resource gave a blob that is text, but not base64");
  return blob;
}
