import { isObject } from "../../jsonrpc/json.js";
import type { Block } from "../../protocol/content.js";
import type { ToolResult } from "../../protocol/outcome.js";

/** Most that a character of a result can take on the wire: `\u0000`, once as text and once as structured content. */
const WIRE_FACTOR = 12;
const BLOCK_OVERHEAD = 256;

/** What a block holds, as far as its size is concerned. */
export type Held =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary"; readonly word: string; readonly base64: string; readonly mimeType: string };

/** What a block holds; of a link it is the link itself. */
export function heldBy(block: Block): Held {
  const { type, text, data: base64, resource, mimeType } = block;
  if (type === "text") return { kind: "text", text: text as string };
  if (type === "image" || type === "audio")
    return { kind: "binary", word: type, base64: base64 as string, mimeType: mimeType as string };
  if (!isObject(resource)) return { kind: "text", text: JSON.stringify(block) };
  if (typeof resource["text"] === "string") return { kind: "text", text: resource["text"] };
  const given = resource["mimeType"];
  const known = typeof given === "string" ? given : "application/octet-stream";
  return { kind: "binary", word: "file", base64: resource["blob"] as string, mimeType: known };
}

/** Bytes of what a block holds. */
export function sizeOf(held: Held): number {
  return held.kind === "text" ? Buffer.byteLength(held.text) : Buffer.byteLength(held.base64, "base64");
}

/** Bytes of a result: of what a model reads, not of how it is written. Text that is also structured content counts once. */
export function bytesOf({ content, structured }: ToolResult): number {
  const apart = structured === undefined || structured === content ? 0 : Buffer.byteLength(structured);
  if (typeof content === "string") return apart + Buffer.byteLength(content);
  return content.reduce((bytes, block) => bytes + sizeOf(heldBy(block)), apart);
}

/** Tells a result that may be over a bound from the many that cannot be, without counting. */
export function mayExceed({ content, structured }: ToolResult, budgetBytes: number, messageBytes: number): boolean {
  let characters = structured === undefined || structured === content ? 0 : structured.length;
  let blocks = 1;
  if (typeof content === "string") characters += content.length;
  else {
    blocks = content.length;
    for (const block of content) {
      const held = heldBy(block);
      characters += held.kind === "text" ? held.text.length : held.base64.length;
    }
  }
  return characters * 3 > budgetBytes || characters * WIRE_FACTOR + blocks * BLOCK_OVERHEAD > messageBytes;
}
