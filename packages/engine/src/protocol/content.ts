import { brand } from "../jsonrpc/brand.js";
import type { Json, JsonObject } from "../jsonrpc/json.js";
import type { Annotations } from "./description.js";

const PIECE = 8192;

/** One block of a tool's or a prompt's content, as the newest revision writes it. */
export interface Block extends JsonObject {
  type: "text" | "image" | "audio" | "resource" | "resource_link";
}

/** What a tool returns to give exactly these blocks and nothing else. */
export class Content {
  readonly blocks: readonly Block[];
  /** Structured content to go along; undefined = none (null is a value). */
  readonly structured: Json | undefined;

  constructor(blocks: readonly Block[], structured?: Json) {
    this.blocks = blocks;
    this.structured = structured;
  }
}
brand(Content, "Content");

/** Exactly these content blocks, in this order. */
export const content = (...blocks: Block[]): Content => new Content(blocks);

/** A block of text. */
export const text = (value: string): Block => ({ type: "text", text: value });

/** An image; `data` is base64 text or the bytes themselves. */
export const image = (data: string | Uint8Array, mimeType: string): Block => ({
  type: "image",
  data: toBase64(data),
  mimeType,
});

/** A sound; `data` is base64 text or the bytes themselves. */
export const audio = (data: string | Uint8Array, mimeType: string): Block => ({
  type: "audio",
  data: toBase64(data),
  mimeType,
});

/** A pointer to a resource that the client may read. */
export const resourceLink = (uri: string, name: string, more: JsonObject = {}): Block => ({
  ...more,
  type: "resource_link",
  uri,
  name,
});

/** A resource put into the result itself. */
export const embeddedResource = (
  uri: string,
  body: { text: string } | { blob: string | Uint8Array },
  mimeType?: string,
): Block => ({
  type: "resource",
  resource: {
    uri,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...("text" in body ? { text: body.text } : { blob: toBase64(body.blob) }),
  },
});

/** The same block with a word on whom it is for and how much it matters. */
export const annotated = (block: Block, annotations: Annotations): Block => ({
  ...block,
  annotations: { ...annotations } as JsonObject,
});

/** One message of a prompt: who says it, and one block. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: Block;
}

/** Something that the user says. */
export const user = (said: string | Block): PromptMessage => ({ role: "user", content: blockOf(said) });

/** Something that the assistant says. */
export const assistant = (said: string | Block): PromptMessage => ({ role: "assistant", content: blockOf(said) });

const blockOf = (said: string | Block): Block => (typeof said === "string" ? text(said) : said);

/** Tells base64 from other text: clients decode it, and one that cannot loses the whole result. */
export function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}

/** Bytes as base64 text; text is taken to be base64 already. */
function toBase64(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let binary = "";
  // In pieces: a call takes only so many arguments, and one for each byte would hold up everything else.
  for (let at = 0; at < data.length; at += PIECE) binary += String.fromCharCode(...data.subarray(at, at + PIECE));
  return btoa(binary);
}
