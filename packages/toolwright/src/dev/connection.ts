import { compareLists, describeChanges, type ListChange, prepareProcess, readLists } from "./lists.js";
import { LISTS, type Lists } from "./messages.js";
import { MessageRouter } from "./router.js";
import { type Launch, type ProcessListener, ServerProcess } from "./server-process.js";

/** The options of a connection. */
export interface ConnectionOptions {
  readonly launch: Launch;
  /** How long calls may continue in replaced code. */
  readonly drainMs: number;
  /** Sends a message to the client. */
  send(text: string): void;
  /** Logs a line for the developer. */
  notify(line: string): void;
  /** Passes on a line that the code wrote to stderr. */
  pass(line: string): void;
}

/** The delays before crashed code is restarted; the last one applies to all further restarts. */
const RESTART_DELAYS_MS = [0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000];
/** How long old code may take to return its lists. */
const LIST_TIMEOUT_MS = 2000;
/** After this time a crash counts as the first one. */
const STABLE_AFTER_MS = 60_000;

/** One client, whose connection stays open while the code behind it is replaced. */
export class Connection implements ProcessListener {
  readonly #options: ConnectionOptions;
  readonly #router: MessageRouter;
  readonly #running = new Set<ServerProcess>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #starting: ServerProcess | undefined;
  /** The last lists that the client may have seen. */
  #lists: Lists | undefined;
  /** Counts replacements: only the latest one is completed. */
  #generation = 0;
  #crashes = 0;
  #isClosed = false;
  #onAllEnded: (() => void) | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#router = new MessageRouter({
      send: (text) => options.send(text),
      onInvalidLine: (line) => options.notify(`not a message on stdout: ${line}`),
    });
    this.#router.take(this.#open(), []);
  }

  /** Receives a line from the client. */
  receive(text: string): void {
    this.#router.receiveFromClient(text);
  }

  /** Starts the changed code beside the old one, and switches to it as soon as it is ready. */
  async swap(): Promise<void> {
    this.#crashes = 0;
    await this.#replace(false);
  }

  /** Ends all processes, after their pending requests. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#generation += 1;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const code of this.#running) code.end();
    return new Promise((resolve) => {
      if (this.#running.size === 0) resolve();
      else this.#onAllEnded = resolve;
    });
  }

  said(code: ServerProcess, line: string): void {
    this.#router.receiveFromProcess(code, line);
  }

  wrote(line: string): void {
    this.#options.pass(line);
  }

  ended(code: ServerProcess): void {
    this.#running.delete(code);
    const isCurrent = code === this.#router.current;
    if (isCurrent) this.#lists = code.lists ?? this.#lists;
    const action = code.hasResponded ? "exited during this request, which may have had effects" : "cannot start";
    this.#router.settle(code, `The server's code ${action}: ${code.cause}`);
    if (this.#running.size === 0) this.#onAllEnded?.();
    if (this.#isClosed || !isCurrent) return;
    if (code.hasResponded) this.#restart(code);
    else this.#reportFailure(code.cause);
  }

  #open(): ServerProcess {
    const code = new ServerProcess(this.#options.launch, this);
    this.#running.add(code);
    return code;
  }

  async #replace(isRestart: boolean): Promise<void> {
    this.#generation += 1;
    const turn = this.#generation;
    this.#starting?.end();
    await this.#handshake();
    if (turn !== this.#generation) return;
    const startedAt = performance.now();
    const code = this.#open();
    this.#starting = code;
    if (this.#router.current === undefined) this.#router.wait();
    try {
      const notice = await this.#prepare(code);
      const before = await this.#listsNow();
      if (turn === this.#generation) this.#take(code, before, { isRestart, startedAt, notice });
    } catch (error) {
      code.end();
      if (turn === this.#generation) this.#handleFailure((error as Error).message, isRestart);
    } finally {
      if (this.#starting === code) this.#starting = undefined;
    }
  }

  /** Prepares the process, again if the client has sent a handshake in the meantime. */
  async #prepare(code: ServerProcess): Promise<string | undefined> {
    const { memory } = this.#router;
    for (;;) {
      const { initialize } = memory;
      const notice = await prepareProcess(code, memory);
      await this.#handshake();
      if (memory.initialize === initialize) return notice;
    }
  }

  /** Waits until the handshake of the client is complete. */
  async #handshake(): Promise<void> {
    const isOpen = (): boolean =>
      [...(this.#router.current?.asked.values() ?? [])].some(({ method }) => method === "initialize");
    while (isOpen() && !this.#isClosed) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** The lists that the client may have seen. */
  async #listsNow(): Promise<Lists | undefined> {
    const { current, memory } = this.#router;
    const isKnown = memory.isInitialized || memory.meta !== undefined;
    if (current === undefined || !isKnown) return current?.lists ?? this.#lists;
    const lists = readLists(current, memory.isInitialized ? undefined : memory.meta).catch(() => current.lists);
    // Code that hangs must not delay its successor.
    const late = new Promise<Lists | undefined>((resolve) => {
      this.#setTimer(LIST_TIMEOUT_MS, () => resolve(current.lists));
    });
    return Promise.race([lists, late]);
  }

  #take(code: ServerProcess, before: Lists | undefined, how: Swap): void {
    const old = this.#router.current;
    const changes = changesOf(before, code.lists, how.isRestart);
    this.#router.take(code, changes);
    this.#lists = code.lists;
    if (old) this.#limitDrain(old);
    const took = Math.round(performance.now() - how.startedAt);
    const action = how.isRestart ? "restarted" : "replaced";
    this.#options.notify(
      `${action} in ${took} ms; ${before ? describeChanges(changes) : "no client has seen its lists yet"}`,
    );
    if (how.notice !== undefined) this.#options.notify(how.notice);
  }

  /** Stops old code whose calls do not end. */
  #limitDrain(old: ServerProcess): void {
    const { drainMs } = this.#options;
    this.#setTimer(drainMs, () => {
      if (old.hasEnded || !this.#running.has(old)) return;
      const reason = `The code was replaced, and the request did not finish within ${drainMs / 1000} s; it may have had effects`;
      this.#router.settle(old, reason);
      old.end();
    });
  }

  #handleFailure(cause: string, isRestart: boolean): void {
    const { current } = this.#router;
    if (current) return this.#options.notify(`the new code cannot start; the old code keeps serving: ${cause}`);
    this.#reportFailure(cause);
    if (isRestart) this.#scheduleRestart();
  }

  #reportFailure(cause: string): void {
    this.#options.notify(`the code cannot start: ${cause}`);
    this.#router.refuse(`The server's code cannot start: ${cause}. Fix it, save the file, and retry.`);
  }

  #restart(code: ServerProcess): void {
    if (performance.now() - code.startedAt > STABLE_AFTER_MS) this.#crashes = 0;
    this.#options.notify(`the code exited: ${code.cause}`);
    this.#router.wait();
    // A save has already started the next one.
    if (this.#starting === undefined) this.#scheduleRestart();
  }

  #scheduleRestart(): void {
    const pause = RESTART_DELAYS_MS[Math.min(this.#crashes, RESTART_DELAYS_MS.length - 1)] ?? 0;
    this.#crashes += 1;
    const turn = this.#generation;
    this.#setTimer(pause, () => {
      if (turn === this.#generation) void this.#replace(true);
    });
  }

  #setTimer(afterMs: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, afterMs);
    this.#timers.add(timer);
  }
}

/** How code was started. */
interface Swap {
  /** A restart of the same code after a crash. */
  readonly isRestart: boolean;
  readonly startedAt: number;
  readonly notice: string | undefined;
}

/** The changes of the lists. If the old lists are unknown, every list may have changed. */
function changesOf(before: Lists | undefined, after: Lists | undefined, isRestart: boolean): readonly ListChange[] {
  if (before && after) return compareLists(before, after);
  if (isRestart || after === undefined) return [];
  return LISTS.map((of) => ({ of, added: [], removed: [], changed: [] }));
}
