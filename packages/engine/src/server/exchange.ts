import { encodeError, encodeResult } from "../jsonrpc/codec.js";
import { internalError, RpcError } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/json.js";
import type { Id, Request } from "../jsonrpc/messages.js";
import type { Caller } from "../protocol/caller.js";
import { type Outcome, ToolError } from "../protocol/outcome.js";
import type { Revision } from "../revisions/revision.js";
import { sizeFault } from "./answer-size.js";
import type { Core } from "./core.js";
import type { Metered } from "./layers/layer.js";
import { Lifetime } from "./lifetime.js";
import type { Link } from "./link.js";
import type { Running } from "./running.js";
import type { Work } from "./work.js";

/** Some clients drop progress that arrives together with the result, so the last report gets this much of a start. */
const PROGRESS_LEAD_MS = 20;

/** One request inside the engine: from a decoded message to the one answer. */
export class Exchange implements Metered, Running {
  readonly core: Core;
  readonly link: Link;
  readonly revision: Revision;
  readonly request: Request;
  readonly caller: Caller;
  /** The tool that is called; empty for other methods. */
  tool = "";
  deadline = 0;
  startedAt = 0;
  acceptedAt = 0;
  isAsking = false;
  /** When progress was last sent; 0 = never. */
  reportedAt = 0;
  /** Ends a call that would last for ever in good order. */
  onConclude: (() => void) | undefined;
  #work: Work | undefined;
  #entered = 0;
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
    return this.#work?.timeoutMs ?? Number.POSITIVE_INFINITY;
  }

  get principal(): string | undefined {
    return this.link.principal;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** The end of this exchange, for those who wait for it. */
  get lifetime(): Lifetime {
    this.#lifetime ??= new Lifetime();
    return this.#lifetime;
  }

  /** Runs work inside the layers. */
  begin(work: Work): void {
    this.#work = work;
    this.tool = work.tool;
    this.proceed();
  }

  proceed(): void {
    if (this.#isDone) return;
    const { layers } = this.core;
    try {
      for (let layer = layers[this.#entered]; layer !== undefined; layer = layers[this.#entered]) {
        const isIn = layer.enter(this);
        this.#entered += 1;
        if (!isIn) {
          this.stayOpen();
          return;
        }
      }
      const value = (this.#work as Work).start();
      if (isThenable(value)) {
        this.stayOpen();
        if (this.#isLasting) this.#waitInLayers();
        value.then(
          (settled) => this.#finish(settled),
          (error: unknown) => this.fail(error),
        );
      } else {
        this.#finish(value);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Answers with an outcome, now or when it comes. */
  settle(outcome: Outcome | Promise<Outcome>): void {
    if (isThenable(outcome)) {
      this.stayOpen();
      outcome.then(
        (settled) => this.settle(settled),
        (error: unknown) => this.fail(error),
      );
      return;
    }
    let answer: string;
    try {
      answer = encodeResult(this.request.id, this.revision.writeResult(outcome, this.core.identity));
    } catch (error) {
      this.fail(error);
      return;
    }
    const fault = sizeFault(answer, this.core.settings.limits.messageBytes);
    if (fault === undefined) this.#answer(answer);
    else this.fail(this.#tooLarge(fault));
  }

  /** Answers with a failure: the tool's own words, or an error of the protocol. */
  fail(error: unknown): void {
    if (this.#isDone) return;
    const work = this.#work;
    this.#work = undefined;
    if (error instanceof RpcError || work === undefined) {
      this.#refuse(error instanceof RpcError ? error : this.#unexpected(error));
      return;
    }
    try {
      this.settle(work.fail(error));
    } catch (failure) {
      this.fail(failure);
    }
  }

  outlivesTurn(): void {
    this.#isLasting = true;
    if (this.#entered === this.core.layers.length) this.#waitInLayers();
  }

  stop(error: ToolError): void {
    if (this.#isDone) return;
    this.lifetime.abort(error.message);
    this.fail(error);
  }

  cancel(reason: string): void {
    if (this.#isDone) return;
    this.#end();
    this.lifetime.abort(reason);
    this.link.answer(undefined);
  }

  conclude(): void {
    this.onConclude?.();
  }

  /** Sends a message that belongs to this request; nothing leaves after the answer, and nothing over the limit. */
  send(message: string): void {
    if (this.#isDone) return;
    const { limits, log } = this.core.settings;
    const fault = sizeFault(message, limits.messageBytes);
    if (fault === undefined) this.link.send(message);
    else
      log({
        level: "warning",
        message: `a message of ${this.tool || this.request.method} was too large to send`,
        requestId: this.id,
      });
  }

  /** The call shows signs of life: its time begins anew. */
  touch(): void {
    this.deadline = performance.now() + this.timeoutMs;
  }

  #waitInLayers(): void {
    for (const layer of this.core.layers) layer.wait?.(this);
  }

  #finish(value: unknown): void {
    if (this.#isDone) return;
    try {
      this.settle((this.#work as Work).finish(value));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Even an error whose data cannot be written gets an answer. */
  #refuse(error: RpcError): void {
    let answer: string;
    try {
      answer = encodeError(this.request.id, this.revision.writeError(error));
    } catch (fault) {
      answer = encodeError(this.request.id, this.revision.writeError(this.#unexpected(fault)));
    }
    this.#answer(answer);
  }

  #tooLarge({ message, details }: { message: string; details: JsonObject }): Error {
    return this.#work ? new ToolError(message, { code: "RESULT_TOO_LARGE", details }) : internalError(message, details);
  }

  #unexpected(error: unknown): RpcError {
    const { method, id } = this.request;
    this.core.settings.log({ level: "error", message: `${method} failed`, requestId: id, error });
    return internalError("Internal error: the details are in the server's log");
  }

  #answer(message: string): void {
    if (this.#isDone) return;
    this.#end();
    const lead = this.reportedAt === 0 ? 0 : this.reportedAt + PROGRESS_LEAD_MS - performance.now();
    if (lead > 0) setTimeout(() => this.link.answer(message), lead);
    else this.link.answer(message);
  }

  /** Goes on without an answer for now; the request is known by its id, so that it can be cancelled. */
  stayOpen(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.link.session.running.add(this);
  }

  #end(): void {
    this.#isDone = true;
    if (this.#isRunning) this.link.session.running.delete(this);
    for (let at = this.#entered - 1; at >= 0; at -= 1) this.core.layers[at]?.leave(this);
    this.#lifetime?.end();
  }
}

function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
