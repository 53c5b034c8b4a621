import { isObject, type JsonObject } from "../jsonrpc/json.js";
import { isBase64 } from "../protocol/content.js";
import { uriFault } from "./resource.js";

/** What reading a resource gave, as the newest revision writes it. Throws `TypeError` for what is no contents. */
export function writePieces(value: unknown, uri: string, mimeType: string | undefined): JsonObject[] {
  if (typeof value === "string") return [writePiece({ text: value }, uri, mimeType)];
  if (value instanceof Uint8Array) return [writePiece({ blob: value }, uri, mimeType)];
  // Copied, because holes in a list would be passed over.
  const pieces: readonly unknown[] = Array.isArray(value) ? [...value] : [value];
  if (pieces.length === 0) throw new TypeError("A resource gave an empty list; undefined means that there is none");
  return pieces.map((piece) => writePiece(piece, uri, mimeType));
}

function writePiece(piece: unknown, uri: string, mimeType: string | undefined): JsonObject {
  const { text, blob, meta, ...own } = (isObject(piece) ? piece : {}) as Record<string, unknown>;
  const type = own["mimeType"] ?? mimeType;
  return {
    uri: typeof own["uri"] === "string" ? checkedUri(own["uri"]) : uri,
    ...(typeof type === "string" && { mimeType: type }),
    ...(typeof text === "string" ? { text } : { blob: toBase64(blob) }),
    ...(isObject(meta) && { _meta: meta }),
  };
}

function checkedUri(uri: string): string {
  const fault = uriFault(uri);
  if (fault !== undefined) throw new TypeError(`A resource gave a piece, but ${fault}`);
  return uri;
}

function toBase64(blob: unknown): string {
  if (blob instanceof Uint8Array) return Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength).toString("base64");
  if (typeof blob !== "string") throw new TypeError("A resource gave something that is neither text nor bytes");
  if (!isBase64(blob)) throw new TypeError("A resource gave a blob that is text, but not base64");
  return blob;
}
