import { brand } from "./brand.js";
import type { Json, JsonObject } from "./json.js";
import type { Id } from "./messages.js";

/** The protocol failed: becomes a JSON-RPC error. Made only by the named functions of this file. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonObject | undefined;
  /** The id of the message at fault, where it could still be read. */
  readonly id: Id | undefined;

  constructor(code: number, message: string, data?: JsonObject, id?: Id) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
    this.id = id;
  }
}
brand(RpcError, "RpcError");

/** The same error, told about the message with this id. */
export const withId = ({ code, message, data }: RpcError, id: Id | undefined): RpcError =>
  new RpcError(code, message, data, id);

/** An error that was kept, told again as it was. */
export const keptError = (kept: { code: number; message: string; data?: JsonObject }): RpcError =>
  new RpcError(kept.code, kept.message, kept.data);

/** An error with the number that an older line of servers gave it. */
export const numberedError = (code: number, message: string): RpcError => new RpcError(code, message);

/** The text is not JSON. */
export const parseError = (reason: string, data?: JsonObject): RpcError =>
  new RpcError(-32700, `Parse error: ${reason}`, data);

/** The JSON is not a message that may stand here. */
export const invalidRequest = (reason: string, id?: Id, data?: JsonObject): RpcError =>
  new RpcError(-32600, `Invalid request: ${reason}`, data, id);

/** A limit of this server was exceeded; `limit` is the stable name of it. */
export const limitExceeded = (limit: string, reason: string, data?: JsonObject): RpcError =>
  new RpcError(-32600, `Invalid request: ${reason}`, { limit, ...data });

/** The lifecycle does not allow this request now; the wording is the whole message. */
export const wrongState = (message: string): RpcError => new RpcError(-32600, message);

/** A name out of a message, short enough to be repeated in an answer. */
export const shortened = (name: string): string => (name.length <= 200 ? name : `${name.slice(0, 200)}…`);

/** The method is unknown, or not offered by this server in this revision. */
export const methodNotFound = (method: string, hint?: string): RpcError =>
  new RpcError(-32601, `Method not found: ${shortened(method)}${hint ? `. ${hint}` : ""}`);

/** The params do not have the method's shape. */
export const invalidParams = (reason: string, data?: JsonObject): RpcError => new RpcError(-32602, reason, data);

/** A request that stands alone lacks a member that each must have. */
export class MissingMember extends RpcError {
  constructor(where: string, missing: string) {
    super(-32602, `Invalid params: every request needs ${where}`, { missing });
  }
}

/** Every request of the revision must have the member that stands there. */
export const missingMember = (where: string, missing: string): RpcError => new MissingMember(where, missing);

/** What a header says is not what the body says. */
export const headerMismatch = (reason: string, data?: JsonObject): RpcError =>
  new RpcError(-32020, `Header mismatch: ${reason}`, data);

/** The client must be allowed more than it is. */
export class InsufficientScope extends RpcError {
  readonly scopes: readonly string[];

  constructor(what: string, scopes: readonly string[]) {
    super(-32600, `${what} needs a token with the scope ${scopes.join(" ")}`, { requiredScopes: [...scopes] });
    this.scopes = scopes;
  }
}

/** What was asked for needs further scopes; `scopes` are all that it needs. */
export const insufficientScope = (what: string, scopes: readonly string[]): RpcError =>
  new InsufficientScope(what, scopes);

/** The answer lasts, and the client takes none that does. */
export class NeedsStream extends RpcError {
  constructor(method: string) {
    super(-32600, `${shortened(method)} is answered with an event stream: accept text/event-stream`);
  }
}

/** This request can only be answered with a stream, which the client did not accept. */
export const needsStream = (method: string): RpcError => new NeedsStream(method);

/** There is no such resource; older revisions have a code of their own for it. */
export class ResourceNotFound extends RpcError {
  constructor(uri: string) {
    super(-32602, `Resource not found: ${shortened(uri)}`, { uri });
  }
}

/** There is no resource at this URI. */
export const resourceNotFound = (uri: string): RpcError => new ResourceNotFound(uri);

/** A fault of ours; what happened is in the log, never on the wire. */
export const internalError = (reason: string, data?: JsonObject): RpcError => new RpcError(-32603, reason, data);

/** The server is about to end. */
export class Stopping extends RpcError {
  constructor(next: string, data: JsonObject) {
    super(-32603, `The server is stopping: ${next}`, data);
  }
}

/** A request came while the server finishes what it has begun. */
export const stopping = (): RpcError =>
  new Stopping("it finishes what it has begun and takes nothing new. Try again once it has been started again.", {
    retryable: true,
  });

/** The time in which running calls might finish is up; what this one has done until then, nobody knows. */
export const stoppedShort = (when: string, elapsedMs: number): RpcError =>
  new Stopping(`this was cut off ${when}, and may have had effects.`, { limit: "drainMs", elapsedMs });

/** `{ sampling: { tools: {} } }` → `sampling.tools` */
export const capabilityNames = (needs: JsonObject): readonly string[] =>
  Object.entries(needs).flatMap(([name, parts]) => {
    const inner = Object.keys(parts as JsonObject);
    return inner.length === 0 ? [name] : inner.map((part) => `${name}.${part}`);
  });

/** The request cannot be served without capabilities that the client did not declare. */
export const missingCapability = (required: JsonObject): RpcError =>
  new RpcError(
    -32021,
    `This request needs client capabilities that were not declared: ${capabilityNames(required).join(", ")}`,
    {
      requiredCapabilities: required,
    },
  );

/** The request names a protocol version that cannot be served in this way. */
export const unsupportedVersion = (requested: Json, supported: readonly string[], hint?: string): RpcError =>
  new RpcError(-32022, `Unsupported protocol version${hint ? `. ${hint}` : ""}`, {
    supported: [...supported],
    requested,
  });
