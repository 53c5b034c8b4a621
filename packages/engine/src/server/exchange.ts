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
  acceptedAt = 0;
  /** When progress was last sent; 0 = never. */
  reportedAt = 0;
  /** Questions that wait for the client. */
  questionsOpen = 0;
  /** Called when the exchange is over, however it ends. */
  onEnd: (() => void) | undefined;
  /** Ends a call that would last for ever in good order. */
  onConclude: (() => void) | undefined;
  #work: Work | undefined;
  #entered = 0;
  #isDone = false;
  #isRunning = false;
  #isLasting = false;
  #controller: AbortController | undefined;
  #abortReason: DOMException | undefined;

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

  get isAsking(): boolean {
    return this.questionsOpen > 0;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Made at the first look: most tools never look, and a signal costs more than the rest of a call. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
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
          this.#register();
          return;
        }
      }
      const value = (this.#work as Work).start();
      if (isThenable(value)) {
        this.#register();
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
      this.#register();
      outcome.then(
        (settled) => this.settle(settled),
        (error: unknown) => this.fail(error),
      );
      return;
    }
    try {
      const answer = encodeResult(this.request.id, this.revision.writeResult(outcome, this.core.identity));
      const fault = sizeFault(answer, this.core.settings.limits.messageBytes);
      if (fault === undefined) this.#answer(answer);
      else this.fail(this.#tooLarge(fault));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Answers with a failure: the tool's own words, or an error of the protocol. */
  fail(error: unknown): void {
    if (this.#isDone) return;
    const work = this.#work;
    this.#work = undefined;
    if (error instanceof RpcError || work === undefined) {
      const known = error instanceof RpcError ? error : this.#unexpected(error);
      this.#answer(encodeError(this.request.id, this.revision.writeError(known)));
      return;
    }
    try {
      this.settle(work.fail(error));
    } catch (failure) {
      this.fail(failure);
    }
  }

  lasts(): void {
    this.#isLasting = true;
    if (this.#entered === this.core.layers.length) this.#waitInLayers();
  }

  stop(error: ToolError): void {
    if (this.#isDone) return;
    this.fail(error);
    this.#abort(error.message);
  }

  cancel(reason: string): void {
    if (this.#isDone) return;
    this.#end();
    this.#abort(reason);
    this.link.answer(undefined);
  }

  /** Goes on without an answer until somebody ends it. */
  last(): void {
    this.#register();
  }

  conclude(): void {
    this.onConclude?.();
  }

  /** Sends a message that belongs to this request; nothing leaves after the answer. */
  send(message: string): void {
    if (!this.#isDone) this.link.send(message);
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

  /** Makes the request known by its id, so that it can be cancelled. */
  #register(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.link.session.running.add(this);
  }

  #end(): void {
    this.#isDone = true;
    if (this.#isRunning) this.link.session.running.delete(this);
    for (let at = this.#entered - 1; at >= 0; at -= 1) this.core.layers[at]?.leave(this);
    this.onEnd?.();
  }

  #abort(reason: string): void {
    this.#abortReason = new DOMException(reason, "AbortError");
    this.#controller?.abort(this.#abortReason);
  }
}

function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
