import type { LogEntry } from "./log.js";
import type { ServerMetrics } from "./metrics.js";
import type { Prompt } from "./prompt.js";
import type { Redaction } from "./redact.js";
import type { Resource, ResourceTemplate } from "./resource.js";
import type { Tool } from "./tool.js";

/** A running server as those see it who bring something to it: what may change, and whom to tell. */
export interface Host {
  readonly name: string;
  readonly version: string;
  /** What it counts of its calls. */
  readonly metrics: ServerMetrics;
  /** Blanks secrets in whatever is written about the server. */
  readonly redaction: Redaction;
  /** The tools that it offers now, in the order in which they are listed. */
  readonly tools: readonly Tool[];
  /** Tells the clients that watch a resource, or one above it, that it has changed. */
  resourceChanged(uri: string): void;
  /** Tells the clients that the families list other resources than before. Needs `dynamic: true`. */
  resourceListChanged(): void;
  /** Offers one more tool and tells the clients. Needs `dynamic: true`, as all that follow. */
  addTool(tool: Tool): void;
  /** Withdraws a tool and tells the clients. */
  removeTool(name: string): void;
  addPrompt(prompt: Prompt): void;
  removePrompt(name: string): void;
  addResource(resource: Resource | ResourceTemplate): void;
  /** Withdraws the resource or the family with this URI or template. */
  removeResource(uri: string): void;
  /** Tells the client that was asked for the visit with this id that all is done there; others hear nothing. */
  visitDone(id: string): void;
  /** Writes to the server's own log. */
  log(entry: LogEntry): void;
}
