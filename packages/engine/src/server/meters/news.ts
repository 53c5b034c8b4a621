import type { Id } from "../../jsonrpc/messages.js";
import { monotonic } from "../clock.js";
import { progressTokenOf, sendProgress } from "../progress.js";
import type { Ticket } from "./lanes.js";
import type { Share } from "./share.js";

/** Short waits are nobody's concern. */
const QUIET_MS = 500;
/** How often a client hears at most that its call has moved. */
const REST_MS = 1000;

/** A client that wants to hear how its call comes on. */
interface Listener {
  readonly token: Id;
  dueAt: number;
  ahead: number;
}

/** Tells the clients that asked for progress where their waiting calls stand. */
export class News {
  readonly #inOrder: () => Iterable<Ticket>;
  readonly #listeners = new Map<Ticket, Listener>();
  #timer: NodeJS.Timeout | undefined;

  /** `inOrder` gives all that wait, the next one first. */
  constructor(inOrder: () => Iterable<Ticket>) {
    this.#inOrder = inOrder;
  }

  add(ticket: Ticket): void {
    const token = progressTokenOf(ticket.call);
    if (token === undefined) return;
    this.#listeners.set(ticket, { token, dueAt: ticket.call.acceptedAt + QUIET_MS, ahead: -1 });
    if (this.#timer === undefined) this.#arm();
  }

  delete(ticket: Ticket): void {
    this.#listeners.delete(ticket);
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tell();
      if (this.#listeners.size > 0) this.#arm();
    }, QUIET_MS).unref();
  }

  #tell(): void {
    if (this.#listeners.size === 0) return;
    const now = monotonic();
    const ofTool = new Map<Share, number>();
    let all = 0;
    for (const ticket of this.#inOrder()) {
      const tool = ticket.line.stop?.share;
      const ahead = tool === undefined ? all : (ofTool.get(tool) ?? 0);
      if (tool !== undefined) ofTool.set(tool, ahead + 1);
      all += 1;
      const listener = this.#listeners.get(ticket);
      if (listener === undefined || listener.dueAt > now || listener.ahead === ahead) continue;
      listener.dueAt = now + REST_MS;
      listener.ahead = ahead;
      sendProgress(ticket.call, listener.token, 0, inWords(ahead));
    }
  }
}

function inWords(ahead: number): string {
  if (ahead === 0) return "waiting: this call is next";
  return `waiting: ${ahead === 1 ? "1 call is" : `${ahead} calls are`} ahead`;
}
