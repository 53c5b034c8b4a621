import { type CallLimits, Share } from "./share.js";

/** How many principals are remembered; more only as far as they have calls that run or wait. */
const MOST = 10_000;

/** What each principal may use. Where nobody is told apart, everybody is one. */
export class Principals {
  readonly #limits: CallLimits;
  readonly #shares = new Map<string | undefined, Share>();

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#shares.size;
  }

  shareOf(principal: string | undefined): Share {
    let share = this.#shares.get(principal);
    if (share !== undefined) return share;
    if (this.#shares.size >= MOST) this.#makeRoom();
    share = new Share(this.#limits);
    this.#shares.set(principal, share);
    return share;
  }

  /** Forgets a principal of whom there is nothing to remember. */
  release(principal: string | undefined, share: Share): void {
    if (isIdle(share) && share.bucket?.isFull !== false) this.#shares.delete(principal);
  }

  /** Those that say no more than new ones would go first; then those that came first. */
  #makeRoom(): void {
    for (const [principal, share] of this.#shares) this.release(principal, share);
    for (const [principal, share] of this.#shares) {
      if (this.#shares.size < MOST) break;
      if (isIdle(share)) this.#shares.delete(principal);
    }
  }
}

const isIdle = ({ running, waiting }: Share): boolean => running === 0 && waiting === 0;
