import { compareLists, type ListChange, readLists, showChanges, warmUp } from "./lists.js";
import { LISTS, type Lists } from "./messages.js";
import { Switchboard } from "./router.js";
import { Code, type CodeEar, type Launch } from "./server-process.js";

/** What a connection is told. */
export interface ConnectionOptions {
  readonly launch: Launch;
  /** How long calls may go on in code that has been replaced. */
  readonly drainMs: number;
  /** To the client. */
  send(text: string): void;
  /** A line for whoever watches. */
  tell(line: string): void;
  /** A line that the code wrote for whoever watches. */
  pass(line: string): void;
}

/** The pauses before code that has crashed is started again; the last one is for all further ones. */
const PAUSES_MS = [0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000];
/** How long old code may take to list what it has. */
const LISTING_MS = 2000;
/** Code that has served so long has not crashed for the reason that it crashed for before. */
const STEADY_MS = 60_000;

/** One client, whose connection stays while the code behind it changes. */
export class Connection implements CodeEar {
  readonly #options: ConnectionOptions;
  readonly #board: Switchboard;
  readonly #living = new Set<Code>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #starting: Code | undefined;
  /** The lists of the last code that served, for a client that has seen them. */
  #lists: Lists | undefined;
  /** Counts what was wished for: a wish that is no longer the last one is given up. */
  #turn = 0;
  #crashes = 0;
  #isClosed = false;
  #whenOver: (() => void) | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#board = new Switchboard({
      send: (text) => options.send(text),
      stray: (line) => options.tell(`printed to stdout, where only messages belong: ${line}`),
    });
    this.#board.take(this.#open(), []);
  }

  /** A line of the client. */
  hear(text: string): void {
    this.#board.hearClient(text);
  }

  /** The code has been written anew: it is started beside the old one, and takes over as soon as it can. */
  async swap(): Promise<void> {
    this.#crashes = 0;
    await this.#replace(false);
  }

  /** The client has gone: code finishes what it has, and goes. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#turn += 1;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const code of this.#living) code.end();
    return new Promise((resolve) => {
      if (this.#living.size === 0) resolve();
      else this.#whenOver = resolve;
    });
  }

  said(code: Code, line: string): void {
    this.#board.hearCode(code, line);
  }

  wrote(line: string): void {
    this.#options.pass(line);
  }

  ended(code: Code): void {
    this.#living.delete(code);
    const isCurrent = code === this.#board.current;
    if (isCurrent) this.#lists = code.lists ?? this.#lists;
    const deed = code.isProven ? "ended while this ran, which may have had effects" : "cannot start";
    this.#board.settle(code, `The server's code ${deed}: ${code.cause}`);
    if (this.#living.size === 0) this.#whenOver?.();
    if (this.#isClosed || !isCurrent) return;
    if (code.isProven) this.#restart(code);
    else this.#giveUp(code.cause);
  }

  #open(): Code {
    const code = new Code(this.#options.launch, this);
    this.#living.add(code);
    return code;
  }

  async #replace(isRestart: boolean): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#starting?.end();
    await this.#handshake();
    if (turn !== this.#turn) return;
    const begun = performance.now();
    const code = this.#open();
    this.#starting = code;
    if (this.#board.current === undefined) this.#board.wait();
    try {
      const remark = await this.#prepare(code);
      const before = await this.#listsNow();
      if (turn === this.#turn) this.#take(code, before, { isRestart, begun, remark });
    } catch (error) {
      code.end();
      if (turn === this.#turn) this.#failed((error as Error).message, isRestart);
    } finally {
      if (this.#starting === code) this.#starting = undefined;
    }
  }

  /** A handshake that comes in between is played too. */
  async #prepare(code: Code): Promise<string | undefined> {
    const { memory } = this.#board;
    for (;;) {
      const { initialize } = memory;
      const remark = await warmUp(code, memory);
      await this.#handshake();
      if (memory.initialize === initialize) return remark;
    }
  }

  /** Waits until the client has got the answer to its handshake. */
  async #handshake(): Promise<void> {
    const isOpen = (): boolean =>
      [...(this.#board.current?.asked.values() ?? [])].some(({ method }) => method === "initialize");
    while (isOpen() && !this.#isClosed) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** What the client could have seen until now. */
  async #listsNow(): Promise<Lists | undefined> {
    const { current, memory } = this.#board;
    const isKnown = memory.isInitialized || memory.meta !== undefined;
    if (current === undefined || !isKnown) return current?.lists ?? this.#lists;
    const lists = readLists(current, memory.isInitialized ? undefined : memory.meta).catch(() => current.lists);
    // Code that hangs must not stand in the way of its successor.
    const late = new Promise<Lists | undefined>((resolve) => {
      this.#later(LISTING_MS, () => resolve(current.lists));
    });
    return Promise.race([lists, late]);
  }

  #take(code: Code, before: Lists | undefined, how: Swap): void {
    const old = this.#board.current;
    const changes = changesOf(before, code.lists, how.isRestart);
    this.#board.take(code, changes);
    this.#lists = code.lists;
    if (old) this.#bound(old);
    const took = Math.round(performance.now() - how.begun);
    const deed = how.isRestart ? "started again" : "swapped";
    this.#options.tell(`${deed} in ${took} ms; ${before ? showChanges(changes) : "nobody has seen its lists yet"}`);
    if (how.remark !== undefined) this.#options.tell(how.remark);
  }

  /** Calls that never end must not keep old code for ever. */
  #bound(old: Code): void {
    const { drainMs } = this.#options;
    this.#later(drainMs, () => {
      if (old.isOver || !this.#living.has(old)) return;
      const reason = `The code was replaced, and this had not finished ${drainMs / 1000} s later; it may have had effects`;
      this.#board.settle(old, reason);
      old.end();
    });
  }

  #failed(cause: string, isRestart: boolean): void {
    const { current } = this.#board;
    if (current) return this.#options.tell(`the new code cannot start, so the old one goes on serving: ${cause}`);
    this.#giveUp(cause);
    if (isRestart) this.#again();
  }

  #giveUp(cause: string): void {
    this.#options.tell(`the code cannot start: ${cause}`);
    this.#board.refuse(`The server's code cannot start: ${cause}. Correct it, save it, and try again.`);
  }

  #restart(code: Code): void {
    if (performance.now() - code.startedAt > STEADY_MS) this.#crashes = 0;
    this.#options.tell(`the code has ended by itself: ${code.cause}`);
    this.#board.wait();
    // Whoever saved has started the next one already.
    if (this.#starting === undefined) this.#again();
  }

  #again(): void {
    const pause = PAUSES_MS[Math.min(this.#crashes, PAUSES_MS.length - 1)] ?? 0;
    this.#crashes += 1;
    const turn = this.#turn;
    this.#later(pause, () => {
      if (turn === this.#turn) void this.#replace(true);
    });
  }

  #later(afterMs: number, deed: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      deed();
    }, afterMs);
    this.#timers.add(timer);
  }
}

/** How code comes to serve. */
interface Swap {
  /** The same code again, after a crash. */
  readonly isRestart: boolean;
  readonly begun: number;
  readonly remark: string | undefined;
}

/** Where nobody knows what the client has seen of other code, every list may have changed. */
function changesOf(before: Lists | undefined, after: Lists | undefined, isRestart: boolean): readonly ListChange[] {
  if (before && after) return compareLists(before, after);
  if (isRestart || after === undefined) return [];
  return LISTS.map((of) => ({ of, added: [], removed: [], changed: [] }));
}
