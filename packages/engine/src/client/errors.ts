import type { Json, JsonObject } from "../jsonrpc/json.js";
import { textOf } from "./text.js";

/** The far end said no. */
export class RequestRefused extends Error {
  readonly code: number;
  readonly data: Json | undefined;
  /** The HTTP status, where that said no as well. */
  readonly status: number | undefined;

  constructor(error: { code: number; message: string; data?: Json | undefined }, status?: number) {
    super(error.message);
    this.name = "RequestRefused";
    this.code = error.code;
    this.data = error.data;
    this.status = status;
  }
}

/** A refusal as a server wrote it, whatever it left out. */
export const refusalOf = ({ code, message, data }: JsonObject, status?: number): RequestRefused =>
  new RequestRefused(
    { code: typeof code === "number" ? code : 0, message: textOf(message, "no reason given"), data },
    status,
  );

interface FailureDetails {
  readonly status?: number;
  readonly challenge?: string | undefined;
  readonly hasBroken?: boolean;
  readonly cause?: unknown;
}

/** The server cannot be reached, broke off, or refuses whoever comes. */
export class ConnectionFailed extends Error {
  /** The HTTP status, where the server answered with one. */
  readonly status: number | undefined;
  /** The server's `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  /** The connection stood, and is gone for good. */
  readonly hasBroken: boolean;

  constructor(message: string, more: FailureDetails = {}) {
    super(message, "cause" in more ? { cause: more.cause } : undefined);
    this.name = "ConnectionFailed";
    this.status = more.status;
    this.challenge = more.challenge;
    this.hasBroken = more.hasBroken ?? false;
  }
}

/** The HTTP status that the server refused something with, if it did. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof RequestRefused || error instanceof ConnectionFailed ? error.status : undefined;

/** A connection stood, and is gone for good. */
export const broken = (message: string): ConnectionFailed => new ConnectionFailed(message, { hasBroken: true });

/** The server took too long; the request has been cancelled, unless `fetch` gave up. */
export class TimedOut extends Error {
  constructor(message: string) {
    super(message);
    this.name = "TimedOut";
  }
}
