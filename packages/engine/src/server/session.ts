import { encodeNotification } from "../jsonrpc/codec.js";
import type { Json } from "../jsonrpc/json.js";
import type { Id, Response } from "../jsonrpc/messages.js";
import type { Caller } from "../protocol/caller.js";
import type { Change } from "../protocol/change.js";
import type { Revision } from "../revisions/revision.js";
import type { Changes } from "./changes.js";
import { RunningRequests } from "./running.js";

/** A question of ours that the client has not answered yet. */
export interface OpenQuestion {
  answered(response: { readonly result?: Json; readonly error?: Json }): void;
  abandoned(reason: string): void;
}

/** One conversation with a client: what its handshake left behind, and what is open in it. Besides a running exchange the only mutable thing. */
export class Session {
  /** What the handshake agreed on; undefined before it, and for ever with stateless clients. */
  revision: Revision | undefined;
  caller: Caller | undefined;
  /** The revision of the last stateless request: how faults are written that name no revision themselves. */
  heard: Revision | undefined;
  /** The client has sent requests before `notifications/initialized`, and the log says so. */
  isEarly = false;
  /** The requests that are being served, for cancellation by id. */
  readonly running = new RunningRequests();
  /** Open `subscriptions/listen` calls. */
  subscriptions = 0;
  readonly #push: (message: string) => void;
  readonly #changes: Changes;
  readonly #onClose: () => void;
  readonly #questions = new Map<Id, OpenQuestion>();
  #lastQuestion = 0;
  #stopListening: (() => void) | undefined;
  #closed = false;

  /** `push` sends what belongs to no request; `onClose` hears that nothing can be open any more. */
  constructor(changes: Changes, push: (message: string) => void, onClose: () => void) {
    this.#changes = changes;
    this.#push = push;
    this.#onClose = onClose;
  }

  /** The client has said `notifications/initialized`. */
  get isReady(): boolean {
    return this.#stopListening !== undefined;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  becomeReady(): void {
    if (this.#closed || this.revision === undefined) return;
    this.#stopListening ??= this.#changes.listen((change) => this.#push(listChanged(change)));
  }

  /** Notes a question and gives it an id that this session has never used. */
  openQuestion(question: OpenQuestion): Id {
    this.#lastQuestion += 1;
    this.#questions.set(this.#lastQuestion, question);
    return this.#lastQuestion;
  }

  closeQuestion(id: Id): void {
    this.#questions.delete(id);
  }

  /** Hands an answer to its question; false for answers that nobody waits for. */
  receiveResponse(response: Response): boolean {
    const question = this.#questions.get(response.id);
    if (question === undefined) return false;
    this.#questions.delete(response.id);
    question.answered(response);
    return true;
  }

  /** The client says nothing more: questions are given up and subscriptions end, while calls may still finish. */
  end(): void {
    this.#closed = true;
    this.#stopListening?.();
    for (const question of this.#questions.values()) question.abandoned("the client has gone");
    for (const running of this.running.all()) running.conclude();
  }

  /** The client hears nothing more: everything stops. */
  close(): void {
    this.end();
    for (const running of this.running.all()) running.cancel("the connection was closed");
    this.#onClose();
  }
}

function listChanged(change: Change): string {
  return encodeNotification(`notifications/${change.of}/list_changed`, undefined);
}
