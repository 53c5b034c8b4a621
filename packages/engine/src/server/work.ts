import type { RpcError } from "../jsonrpc/errors.js";
import type { Json } from "../jsonrpc/json.js";
import type { Outcome, Question } from "../protocol/outcome.js";
import type { Share } from "./meters/share.js";
import type { WorkKind } from "./work-kind.js";

/** Work that the layers stand around: starts, and turns what comes of it into an outcome. */
export interface Work {
  readonly kind: WorkKind;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly timeoutMs: number;
  /** What its calls may use, where it is a tool. */
  readonly share?: Share;
  start(): unknown;
  /** The handler did not answer within the turn of the event loop in which the call came. */
  outlivesTurn?(): void;
  finish(value: unknown): Outcome | Promise<Outcome>;
  /** Turns a failure into an outcome, or throws the `RpcError` that it is. */
  fail(error: unknown): Outcome | Promise<Outcome>;
}

/** Where the end of a call goes whose request has been answered with a task. */
export interface Afterlife {
  /** Throws, and has taken nothing, where the outcome cannot be written. */
  settle(outcome: Outcome): void;
  refuse(error: RpcError): void;
  /** Passes on what the call tells meanwhile. */
  send(message: string): void;
  /** The client hears what the call tells and is asked directly; else both go through the task. */
  readonly isHeard: boolean;
  /** Puts a question through the task, and gives the raw answer. */
  ask(name: string, question: Question): Promise<Json>;
  /** The call waits for an answer of the client, or goes on. */
  waits(isWaiting: boolean): void;
}
