import type { JsonObject } from "../jsonrpc/messages.js";

/** An icon that a client may show. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: "light" | "dark";
}

/** The name and version of a server or client. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/**
 * What a tool does. Absent hints mean the worst case: it writes, it is destructive, and it reaches external systems.
 *
 * @example
 * tool({ name: "find", description: "Finds files.", annotations: { readOnlyHint: true, openWorldHint: false }, run });
 */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as listed by `tools/list`, with all members of the newest revision. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** Whether a call may or must run as a task. */
  readonly execution?: { readonly taskSupport: "optional" | "required" };
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

/** Who content is for, how important it is, and when it was modified. */
export interface Annotations {
  readonly audience?: readonly ("user" | "assistant")[];
  /** 0 = optional, 1 = required. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** A resource as listed by `resources/list`, with all members of the newest revision. */
export interface ResourceDescription {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes, before any encoding. */
  readonly size?: number;
  readonly annotations?: Annotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

/** A resource template as listed by `resources/templates/list`. */
export interface ResourceTemplateDescription extends Omit<ResourceDescription, "uri" | "size"> {
  readonly uriTemplate: string;
}

/** One argument of a prompt. */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt as listed by `prompts/list`. */
export interface PromptDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  readonly icons?: readonly Icon[];
  readonly _meta?: JsonObject;
}

/** The eight log levels of RFC 5424, least severe first. */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

/** The severity of a log message. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Returns whether a value is a log level. */
export function isLogLevel(value: unknown): value is LogLevel {
  return (LOG_LEVELS as readonly unknown[]).includes(value);
}

/** The client as it describes itself. Unverified: never a reason to trust it. */
export interface Caller {
  readonly info: JsonObject | undefined;
  readonly capabilities: JsonObject;
  /** The minimum level of the log messages that the client wants; undefined = none. */
  readonly logLevel: LogLevel | undefined;
}

/** The lists for which clients can receive change notifications. */
export const LIST_KINDS = ["tools", "prompts", "resources"] as const;

/** A change that sessions and subscriptions may be notified of. */
export type Change =
  /** The entries of a list have changed. */
  | { readonly kind: (typeof LIST_KINDS)[number] }
  /** The contents of a resource have changed. */
  | { readonly kind: "resource"; readonly uri: string }
  /** The state of a task has changed. */
  | { readonly kind: "task"; readonly id: string };

/** Returns the topic of a change, which listeners subscribe to. */
export function topicOf(change: Change): string {
  if (change.kind === "resource") return resourceTopic(change.uri);
  return change.kind === "task" ? taskTopic(change.id) : change.kind;
}

/** Returns the topic of a resource. */
export const resourceTopic = (uri: string): string => `resource ${uri}`;

/** Returns the topic of a task. */
export const taskTopic = (id: string): string => `task ${id}`;
