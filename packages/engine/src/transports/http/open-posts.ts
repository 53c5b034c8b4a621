import type { OpenSession } from "../../server/link.js";

/** A POST that is being served. */
export interface OpenPost {
  readonly session: OpenSession;
  readonly isOver: boolean;
  /** The answer takes its time: the client may go before it. `onOver` hears that nothing more comes. */
  wait(onOver: () => void): void;
  /** Says that no answer will come, because the server stops. */
  breakOff(): void;
}

/** The POSTs whose answers take their time. Most are answered within the turn in which they came, and are never looked at. */
export class OpenPosts {
  readonly #open = new Set<OpenPost>();
  #fresh: OpenPost[] = [];
  #onEmpty: (() => void) | undefined;

  add(post: OpenPost): void {
    if (this.#fresh.length === 0) setImmediate(() => this.#sort());
    this.#fresh.push(post);
  }

  /** Ends what lasts, and resolves when nothing is served any more. */
  async drain(): Promise<void> {
    this.#sort();
    for (const { session } of this.#open) session.end();
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /** Stops whatever is still being served. */
  close(): void {
    this.#sort();
    for (const post of this.#open) post.breakOff();
  }

  #sort(): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    for (const post of fresh) {
      if (post.isOver) continue;
      this.#open.add(post);
      post.wait(() => this.#forget(post));
    }
  }

  #forget(post: OpenPost): void {
    this.#open.delete(post);
    if (this.#open.size === 0) this.#onEmpty?.();
  }
}
