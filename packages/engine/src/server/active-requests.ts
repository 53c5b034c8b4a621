import type { RequestId } from "../jsonrpc/messages.js";
import type { RequestContext } from "./request-context.js";

/** Reports requests that outlive the event-loop turn in which they arrived. One per server. */
export class TurnQueue {
  #requests: RequestContext[] = [];

  add(request: RequestContext): void {
    if (this.#requests.length === 0) setImmediate(() => this.#endTurn());
    this.#requests.push(request);
  }

  #endTurn(): void {
    const requests = this.#requests;
    this.#requests = [];
    // A request that was answered with a task is long-running already.
    for (const request of requests) if (!request.isDone && request.taskSink === undefined) request.onLongRunning();
  }
}

/** The requests of a session that have no response yet, by id. */
export class ActiveRequests {
  /** Most clients have one at a time, and a map would then be filled and emptied with every request. */
  #single: RequestContext | undefined;
  #others: Map<RequestId, RequestContext> | undefined;

  get size(): number {
    return (this.#single === undefined ? 0 : 1) + (this.#others?.size ?? 0);
  }

  get(id: RequestId): RequestContext | undefined {
    return this.#single?.id === id ? this.#single : this.#others?.get(id);
  }

  add(request: RequestContext): void {
    if (this.#single === undefined) this.#single = request;
    else (this.#others ??= new Map()).set(request.id, request);
  }

  delete(request: RequestContext): void {
    if (this.#single === request) this.#single = undefined;
    else this.#others?.delete(request.id);
  }

  all(): RequestContext[] {
    return [...(this.#single === undefined ? [] : [this.#single]), ...(this.#others?.values() ?? [])];
  }
}
