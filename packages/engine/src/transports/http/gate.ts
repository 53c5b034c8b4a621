import type { ApiKey } from "./auth/api-keys.js";
import type { HttpRequest } from "./host.js";

/** Whom a request comes from, and what it may do. */
export interface Verified {
  /** Who it is; undefined where nobody is told apart. */
  readonly principal: string | undefined;
  /** What it was granted; undefined where nothing is limited. */
  readonly scopes: ReadonlySet<string> | undefined;
}

/** What holds without a gate: nobody is told apart. */
export const EVERYBODY: Verified = { principal: undefined, scopes: undefined };

/** Why a request is not let in, as HTTP says it. */
export interface Denial {
  readonly status: number;
  /** The value of `WWW-Authenticate`; empty where there is none. */
  readonly challenge: string;
  readonly message: string;
  /** How soon it makes sense to ask again. */
  readonly retryAfterMs?: number;
}

/** Decides who is let in: the endpoint shows it every request, with a session or without. */
export interface Gate {
  admit(request: HttpRequest): Verified | Denial | Promise<Verified | Denial>;
  /** Whether `admit` knows the key or token already, so that it asks nobody. */
  knows(request: HttpRequest): boolean;
  /** The challenge that goes with 403: all the scopes that the operation needs. */
  challenge(request: HttpRequest, scopes: readonly string[]): string;
  /** The JSON of the public document at this path, if there is one. */
  document(request: HttpRequest): string | undefined;
  /** Knows these API keys from now on, and no others. Throws `TypeError` that names the one at fault. */
  renewKeys(keys: readonly ApiKey[]): void;
}

/**
 * Whom a request comes from that was let in before: a token may run out, or be taken back, long before a connection ends.
 * Undefined = it is not let in any more, or as somebody else. Throws where nobody can decide at the moment, which is no refusal.
 */
export async function admitAgain(gate: Gate, request: HttpRequest, before: Verified): Promise<Verified | undefined> {
  const admitted = await gate.admit(request);
  if (!("status" in admitted)) return admitted.principal === before.principal ? admitted : undefined;
  if (admitted.status >= 500) throw new Error(admitted.message);
  return undefined;
}
