import type { Json, JsonObject, RequestId } from "./messages.js";

/** The default behavior of `instanceof`. */
const ordinaryHasInstance = Function.prototype[Symbol.hasInstance];

/**
 * Makes `instanceof` true for instances that another copy of the engine created. A program may have two copies: the command
 * bundles one, and an external pack brings its own.
 */
export function brandClass(target: { readonly prototype: object }, name: string): void {
  const brand = Symbol.for(`@toolwright/engine ${name}`);
  Object.defineProperty(target.prototype, brand, { value: true });
  Object.defineProperty(target, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Subclasses inherit this method, but are compared as usual.
      if (this !== target) return ordinaryHasInstance.call(this as typeof Object, value);
      if (typeof value !== "object" || value === null) return false;
      try {
        // Most tool results are plain objects: checking the prototype first is cheaper than looking for the brand.
        return Object.getPrototypeOf(value) !== Object.prototype && brand in value;
      } catch {
        // What authors throw may be anything, such as a revoked proxy.
        return false;
      }
    },
  });
}

/**
 * A protocol error: the client receives it as a JSON-RPC error, which a model does not see. Tools throw `ToolError` instead.
 *
 * @example
 * ```ts
 * if (error instanceof RpcError) log({ level: "error", message: `protocol error ${error.code}`, error });
 * ```
 */
export class RpcError extends Error {
  readonly code: number;
  readonly data: JsonObject | undefined;
  /** The id of the request, if it could be read. */
  readonly id: RequestId | undefined;
  /** The HTTP status, if it is the same in every revision. */
  readonly httpStatus: number | undefined = undefined;
  /** What kind of failure it is, where the code does not say it: `UNKNOWN_TOOL`. */
  readonly kind: string | undefined;

  constructor(code: number, message: string, data?: JsonObject, id?: RequestId, kind?: string) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
    this.id = id;
    this.kind = kind;
  }
}
brandClass(RpcError, "RpcError");

/** Copies an error and sets the id of its request. */
export const withId = ({ code, message, data, kind }: RpcError, id: RequestId | undefined): RpcError =>
  new RpcError(code, message, data, id, kind);

const BASE_KINDS: Readonly<Record<number, string>> = {
  [-32700]: "PARSE_ERROR",
  [-32600]: "INVALID_REQUEST",
  [-32601]: "METHOD_NOT_FOUND",
  [-32602]: "INVALID_PARAMS",
  [-32603]: "INTERNAL_ERROR",
};

/** The kind of failure that the code of an error says; undefined for other codes than those of JSON-RPC. */
export const baseKindOf = ({ code }: RpcError): string | undefined => BASE_KINDS[code];

/** Recreates an error that was stored as JSON. */
export const restoreError = (stored: { code: number; message: string; data?: JsonObject }): RpcError =>
  new RpcError(stored.code, stored.message, stored.data);

/** The text is not valid JSON. */
export const parseError = (reason: string, data?: JsonObject): RpcError =>
  new RpcError(-32700, `Parse error: ${reason}`, data);

/** The JSON is not a valid message, or not valid at this point. */
export const invalidRequest = (reason: string, id?: RequestId, data?: JsonObject): RpcError =>
  new RpcError(-32600, `Invalid request: ${reason}`, data, id);

/**
 * A limit of the server was exceeded; `limit` is the name of the option.
 *
 * @example
 * throw limitExceeded("pageSize", "a page has at most 100 rows");
 */
export const limitExceeded = (limit: string, reason: string, data?: JsonObject): RpcError =>
  new RpcError(-32600, `Invalid request: ${reason}`, { limit, ...data }, undefined, kindOfLimit(limit));

const kindOfLimit = (limit: string): string => (limit === "messageBytes" ? "MESSAGE_TOO_LARGE" : "LIMIT_EXCEEDED");

/** A session sends more requests than it may. */
export const tooManyRequests = (perSecond: number, retryAfterMs: number): RpcError => {
  const reason = `too many requests: the limit is ${perSecond} a second. Try again in ${retryAfterMs} ms`;
  const data = { limit: "requestRate", retryable: true, retryAfterMs };
  return new RpcError(-32600, `Invalid request: ${reason}`, data, undefined, "RATE_LIMITED");
};

/** The lifecycle does not allow this request now; `message` is the whole message. */
export const lifecycleError = (kind: "NOT_INITIALIZED" | "ALREADY_INITIALIZED", message: string): RpcError =>
  new RpcError(-32600, message, undefined, undefined, kind);

/** Shortens a text, such as one from a message that is repeated in a response. */
export const truncate = (text: string, maxLength = 200): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;

/** The method does not exist, or the server does not offer it in this revision. */
export const methodNotFound = (method: string, hint?: string): RpcError =>
  new RpcError(-32601, `Method not found: ${truncate(method)}${hint ? `. ${hint}` : ""}`);

/** The params of a request are invalid. */
export const invalidParams = (reason: string, data?: JsonObject): RpcError => new RpcError(-32602, reason, data);

/** The server has no tool with this name, or does not offer it. */
export const unknownTool = (message: string, data?: JsonObject): RpcError =>
  new RpcError(-32602, message, data, undefined, "UNKNOWN_TOOL");

/** The arguments of a call do not match the schema of the tool. */
export const schemaMismatch = (message: string, data: JsonObject): RpcError =>
  new RpcError(-32602, message, data, undefined, "SCHEMA_MISMATCH");

/** A stateless request lacks a required member of `_meta`. */
export class MissingMemberError extends RpcError {
  override readonly httpStatus = 400;

  constructor(path: string, missing: string) {
    super(-32602, `Invalid params: every request needs ${path}`, { missing });
  }
}

/** An HTTP header contradicts the body. */
export const headerMismatch = (reason: string, data?: JsonObject): RpcError =>
  new RpcError(-32020, `Header mismatch: ${reason}`, data);

/** The token of the client lacks scopes; `scopes` are all that are needed. */
export class InsufficientScopeError extends RpcError {
  override readonly httpStatus = 403;
  readonly scopes: readonly string[];

  constructor(what: string, scopes: readonly string[]) {
    super(-32600, `${what} needs a token with the scope ${scopes.join(" ")}`, { requiredScopes: [...scopes] });
    this.scopes = scopes;
  }
}

/** Creates an `InsufficientScopeError`. */
export const insufficientScope = (what: string, scopes: readonly string[]): RpcError =>
  new InsufficientScopeError(what, scopes);

class StreamRequiredError extends RpcError {
  override readonly httpStatus = 406;
}

/** The response is an event stream, which the client does not accept. */
export const streamRequired = (method: string): RpcError =>
  new StreamRequiredError(-32600, `${truncate(method)} is answered with an event stream: accept text/event-stream`);

/** The resource does not exist. A class, because older revisions have their own code for it. */
export class ResourceNotFoundError extends RpcError {
  constructor(uri: string) {
    super(-32602, `Resource not found: ${truncate(uri)}`, { uri }, undefined, "RESOURCE_NOT_FOUND");
  }
}

/** Creates a `ResourceNotFoundError`. */
export const resourceNotFound = (uri: string): RpcError => new ResourceNotFoundError(uri);

/**
 * An internal error. The cause is in the log, never in the response.
 *
 * @example
 * throw internalError("the database is not available");
 */
export const internalError = (reason: string, data?: JsonObject): RpcError => new RpcError(-32603, reason, data);

/** Whether an error is an internal error. */
export const isInternalError = ({ code }: RpcError): boolean => code === -32603;

/** The server is shutting down. */
export class ShuttingDownError extends RpcError {
  override readonly httpStatus = 503;

  constructor(reason: string, data: JsonObject) {
    super(-32603, `The server is shutting down: ${reason}`, data);
  }
}

/** A request arrived while the server finishes its running requests. */
export const shuttingDown = (): RpcError =>
  new ShuttingDownError("it accepts no new requests. Try again after it has restarted.", { retryable: true });

/** A request did not finish within the time for shutting down; its effects are unknown. */
export const interruptedByShutdown = (when: string, elapsedMs: number): RpcError =>
  new ShuttingDownError(`this request was aborted ${when}, and may have had side effects.`, {
    limit: "drainMs",
    elapsedMs,
  });

/** Lists capabilities by name: `{ sampling: { tools: {} } }` → `sampling.tools`. */
export const capabilityNames = (required: JsonObject): readonly string[] =>
  Object.entries(required).flatMap(([name, parts]) => {
    const inner = Object.keys(parts as JsonObject);
    return inner.length === 0 ? [name] : inner.map((part) => `${name}.${part}`);
  });

/** The request needs capabilities that the client did not declare. */
export const missingCapability = (required: JsonObject): RpcError => {
  const names = capabilityNames(required).join(", ");
  return new RpcError(-32021, `This request needs client capabilities that were not declared: ${names}`, {
    requiredCapabilities: required,
  });
};

/** The server does not support the protocol version of the request. */
export const unsupportedProtocolVersion = (requested: Json, supported: readonly string[], hint?: string): RpcError =>
  new RpcError(-32022, `Unsupported protocol version${hint ? `. ${hint}` : ""}`, {
    supported: [...supported],
    requested,
  });
