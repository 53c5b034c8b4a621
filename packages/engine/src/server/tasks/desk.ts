import type { Request } from "../../jsonrpc/messages.js";
import type { Caller } from "../../protocol/caller.js";
import type { Outcome } from "../../protocol/outcome.js";
import type { Revision } from "../../revisions/revision.js";
import type { Lifetime } from "../lifetime.js";
import type { Link } from "../link.js";
import type { Recorder } from "../recorder.js";
import type { Tool } from "../tool.js";
import type { Afterlife } from "../work.js";

/** What tasks see of a request. */
export interface TaskCall {
  readonly core: { readonly recorder: Recorder | undefined };
  readonly revision: Revision;
  readonly request: Request;
  readonly caller: Caller;
  readonly link: Link;
  readonly principal: string | undefined;
  readonly isDone: boolean;
  /** Where it goes on as a task, if it does. */
  readonly afterlife: Afterlife | undefined;
  readonly lifetime: Lifetime;
  waits(isAsking: boolean): void;
  startedAt: number;
  promote(task: Outcome, afterlife: Afterlife): void;
  stayOpen(): void;
  touch(): void;
  settle(outcome: Outcome): void;
  fail(error: unknown): void;
  cancel(reason: string): void;
}

/** Where calls become tasks, and where clients ask after them. Only servers with tasks have one. */
export interface TaskDesk {
  /**
   * Has a call go on as a task before it begins, where that must be; `begin` then begins it. False: it is a plain call.
   * Throws `RpcError` where it may not run in the way that the client wants.
   */
  open(call: TaskCall, tool: Tool, begin: () => void): boolean;
  /** Has a running call go on as a task when its time has come, as long as it has asked nothing. */
  consider(call: TaskCall, tool: Tool, hasAsked: () => boolean): void;
  get(call: TaskCall): Promise<Outcome>;
  /** Waits for the end of a task. */
  result(call: TaskCall): Promise<Outcome>;
  list(call: TaskCall): Promise<Outcome>;
  update(call: TaskCall): Promise<Outcome>;
  cancel(call: TaskCall): Promise<Outcome>;
  /** Of the tasks that a call wants to hear of, those that it may. Throws `RpcError`. */
  agree(call: TaskCall, ids: readonly string[]): Promise<readonly { readonly id: string; readonly isFinal: boolean }[]>;
  /** A task as the members of a notification, as text; undefined = it is gone. */
  show(call: TaskCall, id: string): Promise<string | undefined>;
  /** Ends the tasks that still run, and closes the store. */
  close(): Promise<void>;
}
