import type { JsonObject } from "../../jsonrpc/json.js";
import type { Id } from "../../jsonrpc/messages.js";
import type { Caller } from "../../protocol/caller.js";
import type { Outcome } from "../../protocol/outcome.js";
import type { Trace } from "../../protocol/trace.js";
import type { LogEntry } from "../log-entry.js";
import type { Redaction } from "../redact.js";

/** A request on its way, as the layers around it see it. */
export interface LayerRequest {
  readonly id: Id;
  /** What is asked for, such as `tools/call`. */
  readonly method: string;
  /** The tool or prompt that it names, or the URI of the resource; undefined where it names nothing. */
  readonly name: string | undefined;
  /** As the client sent them: nothing in them has been checked. */
  readonly params: JsonObject;
  /** Who calls, as the client says of itself. */
  readonly caller: Caller;
  /** Who calls, as the transport has verified it; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** Aborted when the request is cancelled or runs out of time. */
  readonly signal: AbortSignal;
  /** Where the request stands in a distributed trace, if the client says so. */
  readonly trace: Trace | undefined;
  /** The protocol revision that it is in. For those who report it: what is done must not depend on it. */
  readonly revision: string;
  /** The kind of connection that it came over, such as `stdio`. For those who report it, too. */
  readonly transport: string;
  /** The id that a session has over HTTP; undefined where there is none. */
  readonly sessionId: string | undefined;
}

/** A session that is over: one that a handshake had opened. */
export interface EndedSession {
  readonly revision: string;
  readonly durationMs: number;
}

/** A server as its layers see it. */
export interface LayerHost {
  readonly name: string;
  readonly version: string;
  /** Blanks secrets in whatever is written about requests. */
  readonly redaction: Redaction;
  /** Writes to the server's own log. */
  log(entry: LogEntry): void;
  /** Whether there is such a tool or prompt; clients may make up names. */
  offers(kind: "tool" | "prompt", name: string): boolean;
  /** Tells of each session that is over from now on. */
  onSessionEnd(hear: (session: EndedSession) => void): void;
}

/**
 * One concern around every request: calls `next` (once, or not at all), and gives what came of it, or something else. Where the
 * request is refused, `next` rejects with the error; where it is cancelled, with an `AbortError`. What a layer throws is the
 * answer: a `ToolError` is a failed result, an `RpcError` an error of the protocol.
 */
export interface Layer {
  (request: LayerRequest, next: () => Promise<Outcome>): Outcome | Promise<Outcome>;
  /** Called when the server starts, before its packs are opened; false = there is nothing to do, and it is left out. */
  open?(host: LayerHost): void | false | Promise<void | false>;
  /** Called when the server closes, after its packs. */
  close?(): void | Promise<void>;
}
