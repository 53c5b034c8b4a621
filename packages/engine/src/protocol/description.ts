import type { JsonObject } from "../jsonrpc/json.js";

/** A picture that a client may show. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: "light" | "dark";
}

/** Who a server or a client is. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** What a tool does to the world; absent hints mean the worst (it writes, destroys, and reaches outside). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as `tools/list` shows it, with everything that the newest revision knows. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** Whether a call of it may, or must, go on as a task. */
  readonly execution?: { readonly taskSupport: "optional" | "required" };
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

/** For whom a piece of content is, how much it matters, and how old it is. */
export interface Annotations {
  readonly audience?: readonly ("user" | "assistant")[];
  /** 0 = can be left out, 1 = needed. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** A resource as `resources/list` shows it, with everything that the newest revision knows. */
export interface ResourceDescription {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Raw bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

/** A family of resources as `resources/templates/list` shows it. */
export interface TemplateDescription extends Omit<ResourceDescription, "uri" | "size"> {
  readonly uriTemplate: string;
}

/** One argument of a prompt, as a client shows it in a form. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt as `prompts/list` shows it. */
export interface PromptDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

/** A copy of an object without some of its members. */
export function without(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
