import { sendAllNow } from "../../server/delayed-answers.js";
import { cutOff } from "../../server/draining.js";
import type { OpenSession } from "../../server/link.js";
import type { Log } from "../../server/log.js";
import type { Session } from "../../server/session.js";

/** A POST that is being served. */
export interface OpenPost {
  readonly session: OpenSession;
  readonly isOver: boolean;
  /** The answer takes its time: the client may go before it. `onOver` hears that nothing more comes. */
  wait(onOver: () => void): void;
}

/** The POSTs whose answers take their time. */
export class OpenPosts {
  readonly #open = new Set<OpenPost>();
  #onEmpty: (() => void) | undefined;

  add(post: OpenPost): void {
    if (post.isOver || this.#open.has(post)) return;
    this.#open.add(post);
    post.wait(() => this.#forget(post));
  }

  /** Ends what lasts, and resolves when nothing is served any more. */
  async drain(): Promise<void> {
    // What has just come is known to take its time when its turn is over.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (const { session } of this.#open) session.end();
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /** Cuts off whatever is still being served: its client hears it, and so does the log. */
  close(log: Log): void {
    for (const { session } of this.#open) cutOff(session as Session, log);
    sendAllNow();
  }

  #forget(post: OpenPost): void {
    this.#open.delete(post);
    if (this.#open.size === 0) this.#onEmpty?.();
  }
}
