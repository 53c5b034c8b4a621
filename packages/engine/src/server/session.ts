import { encodeNotification } from "../jsonrpc/codec.js";
import type { RpcError } from "../jsonrpc/errors.js";
import type { Json } from "../jsonrpc/json.js";
import type { Id, Response } from "../jsonrpc/messages.js";
import type { Caller } from "../protocol/caller.js";
import { LISTS, resourceTopic } from "../protocol/change.js";
import type { Revision } from "../revisions/revision.js";
import { assumedRevision } from "../revisions/select.js";
import type { Agreed, KnownSession } from "./agreed.js";
import type { Root } from "./call.js";
import type { Changes, Listener } from "./changes.js";
import { monotonic } from "./clock.js";
import { sendAllNow } from "./delayed-answers.js";
import type { Recorder } from "./recorder.js";
import { RunningRequests } from "./running.js";

/** A question of ours that the client has not answered yet. */
export interface OpenQuestion {
  answered(response: { readonly result?: Json; readonly error?: Json }): void;
  abandoned(reason: string): void;
}

/** The server as its sessions see it. */
export interface SessionOwner {
  /** `dynamic`: the lists can change while the server runs. */
  readonly settings: { readonly dynamic: boolean };
  readonly changes: Changes;
  readonly recorder?: Recorder | undefined;
  /** Begins what lasts as long as a client can be asked, and gives what ends it. */
  watch?(session: Session, push: (message: string) => void): (() => void) | undefined;
  /** Something is open in a session that whoever ends the server must end. */
  opened?(session: Session): void;
  /** Nothing can be open in a session any more. */
  closed?(session: Session): void;
}

/** A client that forgets is told nothing; a server must not remember for ever. */
const MOST_VISITS = 1000;

/** One conversation with a client: what its handshake left behind, and what is open in it. Besides a running exchange the only mutable thing. */
export class Session {
  /** What the handshake agreed on; undefined before it, and for ever with stateless clients. */
  revision: Revision | undefined;
  caller: Caller | undefined;
  /** The revision of the last stateless request: how faults are written that name no revision themselves. */
  heard: Revision | undefined;
  /** The client has sent requests before `notifications/initialized`, and the log says so. */
  isEarly = false;
  /** The end of an `initialize` that is inside layers, for which all that follows waits; true = nobody is there any more. */
  handshake: Promise<boolean> | undefined;
  /** The messages that wait for that. */
  readonly waiting: string[] = [];
  /** The requests that are being served, for cancellation by id. */
  readonly running = new RunningRequests();
  /** The revision of requests that name none, where there will be no handshake. */
  assumed: Revision | undefined;
  /** Ends the connection of a client that does not answer any more. */
  hangUp: (() => void) | undefined;
  isHeard = true;
  usedAt = 0;
  /** Open `subscriptions/listen` calls. */
  subscriptions = 0;
  /** The client's roots as it last told them; undefined = it has to be asked. */
  roots: readonly Root[] | undefined;
  /** How often the client has said that its roots are others now. */
  rootsChanges = 0;
  /** The number under which its messages are recorded; 0 = none has been. */
  recordedAs = 0;
  /** When it was noted; 0 = it was not. */
  openedAt = 0;
  readonly #owner: SessionOwner;
  readonly #push: (message: string) => void;
  // What most conversations never need is made when it is needed: over HTTP each request may be a conversation of its own.
  #questions: Map<Id, OpenQuestion> | undefined;
  /** What ends each watch of a resource, by its URI. */
  #watches: Map<string, () => void> | undefined;
  /** The pages that the client was asked to show and that nobody has called done. */
  #visits: Set<string> | undefined;
  #lastQuestion = 0;
  #isNoted = false;
  #isReady = false;
  #stopWatch: (() => void) | undefined;
  #tell: Listener | undefined;
  #closed = false;

  /** `push` sends what belongs to no request. */
  constructor(owner: SessionOwner, push: (message: string) => void) {
    this.#owner = owner;
    this.#push = push;
  }

  /** The client has said `notifications/initialized`. */
  get isReady(): boolean {
    return this.#isReady;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get isBusy(): boolean {
    return this.running.isBusy || (this.#questions?.size ?? 0) > 0;
  }

  get agreed(): Agreed | undefined {
    return this.revision && this.caller && { version: this.revision.version, caller: this.caller };
  }

  /** Goes on where the handshake of another process ended, or without one. */
  recall({ agreed, assumed }: KnownSession, served: readonly Revision[]): void {
    if (agreed === undefined && assumed === undefined) return;
    const find = (version: string | undefined) => served.find((revision) => revision.version === version);
    this.assumed = assumed === true ? assumedRevision(served) : find(assumed);
    this.revision = find(agreed?.version);
    this.caller = agreed?.caller;
    if (agreed === undefined) return;
    // Elsewhere questions may be open, or answers under way, that were numbered there.
    this.#lastQuestion = Math.floor(Math.random() * 2 ** 48);
    this.becomeReady();
  }

  /** Makes the server note a session that lasts. */
  note(): void {
    if (this.#isNoted || this.#closed) return;
    this.#isNoted = true;
    this.openedAt = monotonic();
    this.#owner.opened?.(this);
  }

  becomeReady(): void {
    if (this.revision === undefined || this.#isReady) return;
    this.#isReady = true;
    if (this.#closed) return;
    if (this.#owner.settings.dynamic) for (const list of LISTS) this.#owner.changes.listen(list, this.#listener);
    this.#stopWatch = this.#owner.watch?.(this, (message) => this.#send(message));
  }

  /** How many resources the client watches. */
  get watched(): number {
    return this.#watches?.size ?? 0;
  }

  isWatching(uri: string): boolean {
    return this.#watches?.has(uri) === true;
  }

  /** Tells the client of changes of a resource, and of those below it, from now on. */
  watch(uri: string): void {
    if (this.#closed || this.isWatching(uri)) return;
    this.#watches ??= new Map();
    this.#watches.set(uri, this.#owner.changes.listen(resourceTopic(uri), this.#listener));
  }

  unwatch(uri: string): void {
    this.#watches?.get(uri)?.();
    this.#watches?.delete(uri);
  }

  dropRoots(): void {
    this.roots = undefined;
    this.rootsChanges += 1;
  }

  /** Remembers that the client was asked to show a page; of very many the oldest is forgotten. */
  noteVisit(id: string): void {
    this.#visits ??= new Set();
    this.#visits.add(id);
    for (const oldest of this.#visits) {
      if (this.#visits.size <= MOST_VISITS) break;
      this.#visits.delete(oldest);
    }
  }

  /** Tells the client that what the page was for is done, once, and only if it was asked to show it. */
  concludeVisit(id: string): void {
    if (this.#visits?.delete(id) !== true || this.#closed) return;
    this.#send(encodeNotification("notifications/elicitation/complete", JSON.stringify({ elicitationId: id })));
  }

  /** Notes a question and gives it an id that this session has never used. */
  openQuestion(question: OpenQuestion): Id {
    this.#lastQuestion += 1;
    this.#questions ??= new Map();
    this.#questions.set(this.#lastQuestion, question);
    return this.#lastQuestion;
  }

  closeQuestion(id: Id): void {
    this.#questions?.delete(id);
  }

  /** Hands an answer to its question; false for answers that nobody waits for. */
  receiveResponse(response: Response): boolean {
    const question = this.#questions?.get(response.id);
    if (question === undefined) return false;
    this.#questions?.delete(response.id);
    question.answered(response);
    return true;
  }

  /** The client says nothing more: questions are given up and subscriptions end, while calls may still finish. */
  end(reason = "the client has gone"): void {
    this.#closed = true;
    if (this.#tell !== undefined) for (const list of LISTS) this.#owner.changes.forget(list, this.#tell);
    this.#stopWatch?.();
    for (const stop of this.#watches?.values() ?? []) stop();
    this.#watches?.clear();
    for (const question of this.#questions?.values() ?? []) question.abandoned(reason);
    this.#questions?.clear();
    for (const running of this.running.all()) running.conclude?.();
  }

  /** Answers whatever is still being served with an error, at once: the process is about to end. */
  cutOff(error: RpcError): void {
    sendAllNow();
    for (const running of this.running.all()) running.cutOff(error);
  }

  /** The client hears nothing more: everything stops. */
  close(): void {
    this.end();
    for (const running of this.running.all()) running.cancel("the connection was closed");
    if (this.#isNoted) this.#owner.closed?.(this);
  }

  /** One and the same function for all topics, so that nothing is told twice. */
  get #listener(): Listener {
    this.#tell ??= (notice) => this.#send(notice.plain);
    return this.#tell;
  }

  #send(message: string): void {
    this.#owner.recorder?.sent(this, message);
    this.#push(message);
  }
}
