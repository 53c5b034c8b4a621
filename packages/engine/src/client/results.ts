import type { Json, JsonObject } from "../jsonrpc/json.js";
import type { Block, PromptMessage } from "../protocol/content.js";
import type { ToolDescription } from "../protocol/description.js";

/** A tool as the server lists it. */
export type ListedTool = Omit<ToolDescription, "description"> & { readonly description?: string };

/** What a tool gave. A failed tool gives a result too: `isError` is true, and the content says why. */
export interface ToolResult {
  readonly content: readonly Block[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

/** A piece of a resource: text, or bytes in base64. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: JsonObject;
}

/** What a resource holds. */
export interface ReadResult {
  readonly contents: readonly ResourceContents[];
  readonly _meta?: JsonObject;
}

/** The messages that a prompt makes. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject;
}

/** What is to be completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionOf =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

/** Values that would do. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}
