import { brandClass } from "../jsonrpc/errors.js";
import type { Json, JsonObject } from "../jsonrpc/messages.js";
import type { Annotations } from "./types.js";

const CHUNK_SIZE = 8192;

/** One content block of a tool result or prompt, in the form of the newest revision. */
export interface ContentBlock extends JsonObject {
  type: "text" | "image" | "audio" | "resource" | "resource_link";
}

/** The exact content of a tool result. Create it with `content`. */
export class Content {
  readonly blocks: readonly ContentBlock[];
  /** The structured content; undefined = none (null is a value). */
  readonly structured: Json | undefined;

  constructor(blocks: readonly ContentBlock[], structured?: Json) {
    this.blocks = blocks;
    this.structured = structured;
  }
}
brandClass(Content, "Content");

/**
 * Combines several blocks to one result.
 *
 * @example
 * ```ts
 * run: async ({ city }) => content(text(`The map of ${city}:`), image(await drawMap(city), "image/png"))
 * ```
 */
export const content = (...blocks: ContentBlock[]): Content => new Content(blocks);

/**
 * A block of text. A tool can also return a string.
 *
 * @example
 * ```ts
 * content(text("Sunny"), text("21 °C"))
 * ```
 */
export const text = (value: string): ContentBlock => ({ type: "text", text: value });

/**
 * An image, as bytes or in base64.
 *
 * @example
 * ```ts
 * image(await readFile("map.png"), "image/png")
 * ```
 */
export const image = (data: string | Uint8Array, mimeType: string): ContentBlock => ({
  type: "image",
  data: toBase64(data),
  mimeType,
});

/**
 * A sound, as bytes or in base64.
 *
 * @example
 * ```ts
 * audio(await readFile("bell.wav"), "audio/wav")
 * ```
 */
export const audio = (data: string | Uint8Array, mimeType: string): ContentBlock => ({
  type: "audio",
  data: toBase64(data),
  mimeType,
});

/**
 * A link to a resource, which the client can read.
 *
 * @example
 * ```ts
 * resourceLink("file:///project/notes.md", "notes.md", { mimeType: "text/markdown" })
 * ```
 */
export const resourceLink = (uri: string, name: string, extra: JsonObject = {}): ContentBlock => ({
  ...extra,
  type: "resource_link",
  uri,
  name,
});

/**
 * Creates a block that contains a resource.
 *
 * @example
 * ```ts
 * embeddedResource("file:///project/notes.md", { text: notes }, "text/markdown")
 * ```
 */
export const embeddedResource = (
  uri: string,
  body: { text: string } | { blob: string | Uint8Array },
  mimeType?: string,
): ContentBlock => ({
  type: "resource",
  resource: {
    uri,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...("text" in body ? { text: body.text } : { blob: toBase64(body.blob) }),
  },
});

/**
 * A block with annotations: for whom it is, and how important.
 *
 * @example
 * ```ts
 * annotated(text("debug output"), { audience: ["assistant"], priority: 0.2 })
 * ```
 */
export const annotated = (block: ContentBlock, annotations: Annotations): ContentBlock => ({
  ...block,
  annotations: { ...annotations } as JsonObject,
});

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/**
 * A message of the user, for prompts.
 *
 * @example
 * ```ts
 * run: ({ code }) => [user("Review this code:"), user(code)]
 * ```
 */
export const user = (input: string | ContentBlock): PromptMessage => ({ role: "user", content: toBlock(input) });

/**
 * A message of the assistant, for prompts.
 *
 * @example
 * ```ts
 * run: () => [user("What is 2 + 2?"), assistant("4"), user("And 3 + 3?")]
 * ```
 */
export const assistant = (input: string | ContentBlock): PromptMessage => ({
  role: "assistant",
  content: toBlock(input),
});

const toBlock = (input: string | ContentBlock): ContentBlock => (typeof input === "string" ? text(input) : input);

/** Returns whether text is base64: a client that cannot decode a block may drop the whole result. */
export function isBase64(value: string): boolean {
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}

/** Encodes bytes as base64; a string is returned as it is. */
function toBase64(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  let binary = "";
  // In chunks: a function call has a limited number of arguments, and one call per byte would be slow.
  for (let at = 0; at < data.length; at += CHUNK_SIZE)
    binary += String.fromCharCode(...data.subarray(at, at + CHUNK_SIZE));
  return btoa(binary);
}
