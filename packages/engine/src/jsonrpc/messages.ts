import type { Json, JsonObject } from "./json.js";

/** A request id. Integers beyond 2^53 are kept as bigint, so that they are echoed with all their digits. */
export type Id = string | number | bigint;

/** A message that wants an answer. */
export interface Request {
  readonly id: Id;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A message that never gets an answer. */
export interface Notification {
  readonly id?: undefined;
  readonly method: string;
  readonly params?: Json;
}

/** The far end's answer to a request of ours. */
export interface Response {
  readonly id: Id;
  readonly method?: undefined;
  readonly result?: Json;
  readonly error?: Json;
}

/** One decoded JSON-RPC message. */
export type Message = Request | Notification | Response;
