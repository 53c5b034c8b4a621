import { RpcError } from "../jsonrpc/errors.js";
import type { Id, Request } from "../jsonrpc/messages.js";
import type { Caller } from "../protocol/caller.js";
import type { Outcome, ToolError } from "../protocol/outcome.js";
import type { Revision } from "../revisions/revision.js";
import { deliver, isThenable, refusalOf, tell, undelivered, unexpected, writeOutcome, writeRefusal } from "./answer.js";
import { monotonic } from "./clock.js";
import type { Core } from "./core.js";
import { startHeartbeat } from "./heartbeat.js";
import { handOut, type Inside } from "./layers/inside.js";
import { cancellation, Lifetime } from "./lifetime.js";
import type { Link, Refusal } from "./link.js";
import type { Ending } from "./meters/ending.js";
import { enterMeters, leaveMeters, type Metered, waitInMeters } from "./meters/meter.js";
import type { Running } from "./running.js";
import type { Afterlife, Work } from "./work.js";
import type { WorkKind } from "./work-kind.js";

/** One request inside the engine: from a decoded message to the one answer. */
export class Exchange implements Metered, Running {
  readonly core: Core;
  readonly link: Link;
  readonly revision: Revision;
  readonly request: Request;
  readonly caller: Caller;
  kind: WorkKind = "tool";
  name = "";
  share: Metered["share"];
  place: Metered["place"];
  patienceMs: number | undefined;
  deadline = 0;
  startedAt = 0;
  acceptedAt = 0;
  entered = 0;
  isAsking = false;
  ending: Ending = "ok";
  failure: unknown;
  inside: Inside | undefined;
  reportedAt = 0;
  reported: number | undefined;
  afterlife: Afterlife | undefined;
  /** What runs of an author's, as long as it can put its failures into words. */
  work: Work | undefined;
  conclude: (() => void) | undefined;
  #isDone = false;
  #isRunning = false;
  #isLasting = false;
  #lifetime: Lifetime | undefined;

  constructor(core: Core, link: Link, revision: Revision, request: Request, caller: Caller) {
    this.core = core;
    this.link = link;
    this.revision = revision;
    this.request = request;
    this.caller = caller;
  }

  get id(): Id {
    return this.request.id;
  }

  get timeoutMs(): number {
    if (this.afterlife !== undefined) return this.core.settings.limits.taskTotalMs;
    return this.work?.timeoutMs ?? Number.POSITIVE_INFINITY;
  }

  get totalLimit(): "callTotalMs" | "taskTotalMs" {
    return this.afterlife === undefined ? "callTotalMs" : "taskTotalMs";
  }

  get principal(): string | undefined {
    return this.link.principal;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** The call waits for an answer of the client, or goes on. */
  waits(isAsking: boolean): void {
    this.isAsking = isAsking;
    this.afterlife?.waits(isAsking);
  }

  /** The end of this exchange, for those who wait for it. */
  get lifetime(): Lifetime {
    return (this.#lifetime ??= new Lifetime());
  }

  /** Runs work inside the meters. */
  begin(work: Work): void {
    this.work = work;
    this.kind = work.kind;
    this.name = work.name;
    this.share = work.share;
    if (this.#isLasting) work.outlivesTurn?.();
    this.proceed();
  }

  /** Answers with a task now, while the work goes on; what comes of it goes to the afterlife. Throws where it cannot leave. */
  promote(task: Outcome, afterlife: Afterlife): void {
    const answer = writeOutcome(this, task, false);
    if (this.#isRunning) this.link.session.running.delete(this);
    this.#isRunning = false;
    this.afterlife = afterlife;
    deliver(this, answer);
    this.touch();
    if (!this.#isLasting) this.#last();
  }

  proceed(): void {
    if (this.#isDone) return;
    try {
      if (!enterMeters(this.core.meters, this)) return this.stayOpen();
      const value = (this.work as Work).start();
      if (isThenable(value)) {
        this.stayOpen();
        if (this.#isLasting) waitInMeters(this.core.meters, this);
        value.then(
          (settled) => this.#finish(settled),
          (error: unknown) => this.work && this.fail(error),
        );
      } else this.#finish(value);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Answers with an outcome, now or when it comes; undefined = whoever gave the promise answers otherwise. */
  settle(outcome: Outcome | Promise<Outcome | undefined>): void {
    if (isThenable(outcome)) {
      this.stayOpen();
      outcome.then(
        (settled) => settled && this.settle(settled),
        (error: unknown) => this.fail(error),
      );
      return;
    }
    if (this.#isDone) return;
    this.ending = outcome.kind === "tool" && outcome.result.isError ? "failed" : "ok";
    if (this.inside !== undefined) return handOut(this).resolve(outcome);
    let answer: string | undefined;
    try {
      if (this.afterlife === undefined) answer = writeOutcome(this, outcome, this.work !== undefined);
      else this.afterlife.settle(outcome);
    } catch (error) {
      return this.fail(error);
    }
    if (answer === undefined) this.#end();
    else this.#answer(answer, refusalOf(this.failure));
  }

  /** Answers with a failure: the tool's own words, or an error of the protocol. */
  fail(error: unknown): void {
    if (this.#isDone) return undelivered(this, error);
    const work = this.work;
    this.work = undefined;
    this.failure = error;
    try {
      if (work !== undefined) this.settle(work.fail(error));
      else this.#refuse(error instanceof RpcError ? error : unexpected(this, error));
    } catch (failure) {
      // Without work nothing is left that could say it better, and a log that fails would be asked for ever.
      if (work === undefined) throw failure;
      this.fail(failure);
    }
  }

  outlivesTurn(): void {
    this.link.session.note();
    this.link.lasts?.();
    this.work?.outlivesTurn?.();
    if (!this.#isLasting) this.#last();
  }

  stop(error: ToolError | RpcError): void {
    if (this.#isDone) return;
    this.lifetime.abort(error.message);
    this.fail(error);
  }

  cutOff(error: RpcError): void {
    // What layers would make of it may come too late.
    if (this.inside !== undefined) handOut(this).reject(error);
    this.stop(error);
  }

  cancel(reason: string): void {
    if (this.#isDone) return;
    this.ending = "cancelled";
    this.#end();
    this.lifetime.abort(reason);
    this.inside?.reject(cancellation(reason));
    if (this.afterlife === undefined) this.link.answer(undefined);
  }

  /** Sends a message that belongs to this request; nothing leaves after the answer, and nothing over the limit. */
  send(message: string): void {
    if (!this.#isDone) tell(this, message);
  }

  /** The call shows signs of life: its time begins anew. */
  touch(): void {
    this.deadline = monotonic() + this.timeoutMs;
  }

  #last(): void {
    this.#isLasting = true;
    if ((this.work ?? this.afterlife) !== undefined) startHeartbeat(this, this.core.settings.limits.heartbeatMs);
    if (this.entered === this.core.meters.length) waitInMeters(this.core.meters, this);
  }

  #finish(value: unknown): void {
    // Without work the call has failed, and its answer is on the way.
    if (this.#isDone || this.work === undefined) return;
    try {
      this.settle(this.work.finish(value));
    } catch (error) {
      this.fail(error);
    }
  }

  #refuse(error: RpcError): void {
    this.ending = "refused";
    if (this.inside !== undefined) return handOut(this).reject(error);
    if (this.afterlife === undefined) return this.#answer(...writeRefusal(this, error));
    this.#end();
    this.afterlife.refuse(error);
  }

  #answer(message: string, refusal?: Refusal): void {
    if (this.#isDone) return;
    this.#end();
    deliver(this, message, refusal);
  }

  /** Goes on without an answer for now; the request is known by its id, so that it can be cancelled. */
  stayOpen(): void {
    if (this.#isRunning || this.afterlife !== undefined) return;
    this.#isRunning = true;
    this.link.session.running.add(this);
  }

  #end(): void {
    this.#isDone = true;
    if (this.#isRunning) this.link.session.running.delete(this);
    leaveMeters(this.core.meters, this);
    this.#lifetime?.end();
  }
}
