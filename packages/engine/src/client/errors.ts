import { isObject, type Json, type JsonObject } from "../jsonrpc/messages.js";

/** Returns the value if it is a string, otherwise the fallback. */
export function stringOr(value: Json | undefined, fallback = ""): string {
  return typeof value === "string" ? value : fallback;
}

/** Returns the value if it is an object, otherwise an empty one. */
export function objectOrEmpty(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The server answered a request with a JSON-RPC error. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
  /** The JSON-RPC error code; 0 if the server sent none. */
  readonly code: number;
  readonly data: Json | undefined;
  /** The HTTP status of the response, if it was an error status. */
  readonly status: number | undefined;

  constructor({ code, message, data }: { code?: Json; message?: Json; data?: Json | undefined }, status?: number) {
    super(stringOr(message, "no reason given"));
    this.code = typeof code === "number" ? code : 0;
    this.data = data;
    this.status = status;
  }
}

interface ConnectionErrorOptions {
  readonly status?: number;
  readonly challenge?: string | undefined;
  readonly wasConnected?: boolean;
  readonly cause?: unknown;
}

/** The server cannot be reached, closed the connection, denied access, or does not follow the protocol. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** The HTTP status, if the server sent one. */
  readonly status: number | undefined;
  /** The `WWW-Authenticate` header of the response. */
  readonly challenge: string | undefined;
  /** The connection was established and is now lost for good. */
  readonly wasConnected: boolean;

  constructor(message: string, options: ConnectionErrorOptions = {}) {
    super(message, options);
    this.status = options.status;
    this.challenge = options.challenge;
    this.wasConnected = options.wasConnected ?? false;
  }
}

/** Creates the error for an established connection that was lost. */
export const connectionLost = (message: string): ConnectionError =>
  new ConnectionError(message, { wasConnected: true });

/** Returns the HTTP status that an error carries, if any. */
export const httpStatusOf = (error: unknown): number | undefined =>
  error instanceof ResponseError || error instanceof ConnectionError ? error.status : undefined;

/** The server took too long. The request has been cancelled, unless `fetch` itself timed out. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}
