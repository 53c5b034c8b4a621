import type { ToolError } from "../../protocol/outcome.js";
import { readPatience } from "../../protocol/patience.js";
import { metaOf } from "../../revisions/revision.js";
import { monotonic } from "../clock.js";
import { LONGEST_WAIT_MS } from "../limits.js";
import { FairQueue } from "./fair-queue.js";
import type { Ticket } from "./lanes.js";
import type { Meter, Metered, ServerBounds } from "./meter.js";
import { News } from "./news.js";
import { Principals } from "./principals.js";
import { busy, overRate, tooLate, waitedInVain } from "./refusals.js";
import { type CallLimits, Share } from "./share.js";

/** What bounds the calls of a server. */
interface AdmissionLimits {
  /** What all calls together may use. */
  readonly server: CallLimits;
  /** What the calls of one principal may use; undefined = as much as all. */
  readonly perPrincipal?: CallLimits | undefined;
  /** Calls that may wait. */
  readonly queued: number;
}

/** Lets calls in as there is room for them: the next ones wait for their turn, and one more than may wait is refused. */
export class Admission implements Meter {
  readonly #server: Share;
  readonly #principals: Principals | undefined;
  #mostQueued: number;
  readonly #queue: FairQueue;
  readonly #news: News;
  /** Nothing is bounded but how many calls run. */
  #isPlain: boolean;
  #isAdmitting = false;

  constructor({ server, perPrincipal, queued }: AdmissionLimits) {
    this.#server = new Share(server);
    this.#principals = perPrincipal && new Principals(perPrincipal);
    this.#mostQueued = queued;
    this.#queue = new FairQueue(this.#server, () => this.#admitSoon());
    this.#news = new News(() => this.#queue.inOrder());
    this.#isPlain = server.rate === undefined && perPrincipal === undefined;
  }

  get queued(): number {
    return this.#server.waiting;
  }

  rebound({ calls, queued, rate }: ServerBounds): void {
    this.#server.rebound({ calls, ...(rate && { rate }) });
    this.#mostQueued = queued;
    this.#isPlain = rate === undefined && this.#principals === undefined;
    this.#admitSoon();
  }

  enter(call: Metered): boolean {
    const { share } = call;
    // A task has been answered: nobody waits for its end.
    const isAwaited = call.totalLimit === "callTotalMs";
    if (isAwaited) call.patienceMs = readPatience(metaOf(call.request));
    const isPlain = this.#isPlain && share?.isLimited !== true;
    if (!isPlain || this.#server.running >= this.#server.most || this.#queue.hasTurn) return this.#enterBounded(call);
    this.#refuseLate(call, 0);
    this.#server.running += 1;
    return true;
  }

  leave(call: Metered, now: number): void {
    const ticket = call.place as Ticket | undefined;
    if (ticket?.isWaiting) return this.#giveUp(ticket);
    if (ticket?.isRefused) return;
    const { share } = call;
    this.#server.running -= 1;
    if (call.totalLimit === "callTotalMs") {
      const tookMs = now - (ticket?.admittedAt ?? call.acceptedAt);
      this.#server.pace.note(tookMs, call.ending === "ok", now);
      share?.pace.note(tookMs, call.ending === "ok", now);
    }
    if (!this.#isPlain || this.#server.waiting > 0 || share?.isLimited === true) this.#free(call);
  }

  #enterBounded(call: Metered): boolean {
    const server = this.#server;
    const tool = call.share?.isLimited === true ? call.share : undefined;
    const principal = this.#principals?.shareOf(call.principal);
    refuseOverRate(call, "rate", server);
    refuseOverRate(call, "toolRate", tool);
    refuseOverRate(call, "principalRate", principal);
    const isFree = !this.#queue.hasTurn && server.room >= 1 && isOpen(tool) && isOpen(principal);
    this.#refuseLate(call, isFree ? 0 : this.#waitMs(this.#queue.aheadOf(call), tool, principal));
    if (!isFree) {
      this.#wait(call, tool, principal);
      return false;
    }
    for (const share of [server, tool, principal]) share?.take();
    return true;
  }

  #refuseLate(call: Metered, waitMs: number): void {
    const { patienceMs } = call;
    if (patienceMs === undefined) return;
    const takesMs = call.share?.pace.expect(call.acceptedAt) ?? Number.NaN;
    const knownMs = Number.isNaN(takesMs) ? 0 : takesMs;
    if (waitMs + knownMs > patienceMs) throw tooLate(call, patienceMs, waitMs, knownMs);
  }

  #wait(call: Metered, tool: Share | undefined, principal: Share | undefined): void {
    if (this.#server.waiting >= this.#mostQueued) this.#makeRoom(call, tool, principal);
    const ticket = this.#queue.add(call, tool, principal);
    call.place = ticket;
    this.#news.add(ticket);
    const { patienceMs } = call;
    if (patienceMs !== undefined) {
      const refuse = (): void => {
        // A task was answered when it began: nobody waits for it any more.
        if (call.totalLimit === "callTotalMs")
          this.#refuse(ticket, waitedInVain(patienceMs, this.#waitMs(0, tool, principal)));
      };
      ticket.timer = setTimeout(refuse, Math.min(patienceMs, LONGEST_WAIT_MS)).unref();
    }
    this.#admitSoon();
  }

  /** Where all that may wait do, the client with the most of them makes room for one that has fewer. */
  #makeRoom(call: Metered, tool: Share | undefined, principal: Share | undefined): void {
    const { running, waiting } = this.#server;
    const refusal = busy(running, waiting, this.#waitMs(waiting, tool, principal));
    const surplus = this.#queue.surplusFor(call);
    if (surplus === undefined) throw refusal;
    this.#refuse(surplus, refusal);
  }

  /** Refuses a call that has waited. It stands in nobody's way from now on, however long its answer takes. */
  #refuse(ticket: Ticket, refusal: ToolError): void {
    ticket.isRefused = true;
    this.#giveUp(ticket);
    ticket.call.stop(refusal);
  }

  /** How long a call will wait that so many go before, as far as that is known. */
  #waitMs(ahead: number, tool: Share | undefined, principal: Share | undefined): number {
    const { meanMs } = this.#server.pace;
    return Math.max(
      this.#server.waitMs(ahead, meanMs),
      tool?.waitMs(tool.waiting, tool.pace.meanMs) ?? 0,
      principal?.waitMs(principal.waiting, meanMs) ?? 0,
    );
  }

  #free({ share, principal }: Metered): void {
    const tool = share?.isLimited === true ? share : undefined;
    const own = this.#principals?.shareOf(principal);
    if (tool !== undefined) tool.running -= 1;
    if (own !== undefined) {
      own.running -= 1;
      this.#principals?.release(principal, own);
    }
    this.#queue.freed(tool, own);
    this.#admitSoon();
  }

  #giveUp(ticket: Ticket): void {
    clearTimeout(ticket.timer);
    this.#news.delete(ticket);
    this.#queue.remove(ticket);
    this.#admitSoon();
  }

  /** Later, because a call that leaves has not been answered yet, and answers go out in the order of completion. */
  #admitSoon(): void {
    if (this.#isAdmitting || !this.#queue.hasTurn) return;
    this.#isAdmitting = true;
    queueMicrotask(() => this.#admit());
  }

  /** Lets waiting calls in. One that ends at once comes back here through `leave`, so the loop must be the outer one's. */
  #admit(): void {
    for (let ticket = this.#queue.next(); ticket !== undefined; ticket = this.#queue.next()) {
      const { call } = ticket;
      clearTimeout(ticket.timer);
      this.#news.delete(ticket);
      ticket.admittedAt = monotonic();
      if (call.patienceMs !== undefined) call.patienceMs -= ticket.admittedAt - call.acceptedAt;
      call.proceed();
    }
    this.#isAdmitting = false;
  }
}

/** Whether a call may begin without overtaking one that only time keeps waiting. */
const isOpen = (share: Share | undefined): boolean =>
  share === undefined || (share.room >= 1 && (share.bucket === undefined || share.waiting === 0));

/** Over a rate calls wait, but no more of them than a burst. */
function refuseOverRate(call: Metered, limit: "rate" | "toolRate" | "principalRate", share: Share | undefined): void {
  const bucket = share?.bucket;
  if (share === undefined || bucket === undefined || bucket.left >= 1) return;
  const { burst, over } = bucket.options;
  if (over !== "reject" && share.waiting < burst) return;
  throw overRate(call, limit, bucket.options, bucket.waitMs(share.waiting + 1));
}
