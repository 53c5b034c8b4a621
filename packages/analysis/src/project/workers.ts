import { availableParallelism } from "node:os";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { ToolError } from "@toolwright/engine";
import { builtFile, type FileContents } from "@toolwright/kit/files";
import type { Answer, FactsQuestion, FilesQuestion, Job } from "./worker.js";

/** What files held, or the facts of a text as JSON, or why there are none. */
export interface Told extends Omit<Answer, "id" | "isSpent"> {
  /** The fault need not come from the text: asked again, it may be told. */
  readonly isPassing?: true;
}

/** What threads are started with. */
export interface WorkersOptions {
  /** The program that they run. */
  readonly file: URL;
  readonly count?: number | undefined;
  /** How long one text may take. */
  readonly jobMs?: number;
  /** How long threads without work are kept. */
  readonly idleMs?: number;
  readonly memory?: ResourceLimits;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (told: Told) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread and what it was asked, the one that it is at first. */
interface Thread {
  readonly worker: Worker;
  readonly asked: Waiting[];
  timer: NodeJS.Timeout | undefined;
  /** Whether it has told something of a text. */
  hasAnswered: boolean;
}

const MOST_THREADS = 8;
/** The next text is there when a thread has done with one; more would only fill the memory. */
const ASKED_AT_ONCE = 2;
/** How many threads are started ahead: nobody knows then how many files there are. */
const READY = 2;
const JOB_MS = 20_000;
const IDLE_MS = 20_000;
/** A tree should die young: with less room for the new, much of it is copied before it is done with. */
const MEMORY: ResourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 };

/** Threads that tell facts of texts; they are started when they are needed, and end when nobody needs them. */
export class Workers {
  /** How many there are at most. */
  readonly count: number;
  readonly #options: WorkersOptions;
  readonly #threads = new Set<Thread>();
  readonly #queue: Waiting[] = [];
  readonly #inFlight = new InFlight<Told>();
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.count = options.count ?? Math.min(availableParallelism(), MOST_THREADS);
  }

  /** How many texts should be asked about at once, so that no thread waits. */
  get wanted(): number {
    return this.count * ASKED_AT_ONCE;
  }

  /** What a text may take, as words: one that took more may do with other limits. */
  get limits(): string {
    const { jobMs = JOB_MS, memory = MEMORY } = this.#options;
    return `${jobMs} ${memory.maxOldGenerationSizeMb} ${memory.maxYoungGenerationSizeMb}`;
  }

  /** Starts some threads ahead of the first question. */
  prepare(): void {
    while (!this.#isClosed && this.#threads.size < Math.min(this.count, READY)) this.#start().worker.unref();
    this.#handOut();
  }

  /** The same as `ask`, but what several ask of one content at the same time is told them all at once. */
  askOnce(hash: string, question: FactsQuestion, signal: AbortSignal): Promise<Told> {
    const key = [hash, question.language, ...question.wanted.toSorted()].join(" ");
    return this.#inFlight.share(key, signal, () => this.#begin(question));
  }

  /** Tells facts of a text. A text that a thread dies of has a fault; throws where threads cannot be had, or when cancelled. */
  ask(question: FactsQuestion, signal: AbortSignal): Promise<Told> {
    return this.#askAnew(question, signal);
  }

  /** Reads files by their real paths; undefined for those that are to be read with more care. Throws as `ask` does. */
  async read(question: FilesQuestion, signal: AbortSignal): Promise<readonly (FileContents | undefined)[]> {
    const { files = [] } = await this.#askAnew(question, signal);
    return files;
  }

  #askAnew(question: FilesQuestion | FactsQuestion, signal: AbortSignal): Promise<Told> {
    return this.#inFlight.share(`${this.#lastId + 1}`, signal, () => this.#begin(question));
  }

  #begin(question: FilesQuestion | FactsQuestion): Begun<Told> {
    let stop: Begun<Told>["stop"] = () => undefined;
    this.#lastId += 1;
    const job = { id: this.#lastId, ...question };
    const result = new Promise<Told>((resolve, reject) => {
      if (this.#isClosed) throw unavailable("the server is closing");
      const waiting = { job, resolve, reject };
      stop = (reason) => {
        const at = this.#queue.indexOf(waiting);
        if (at !== -1) this.#queue.splice(at, 1);
        reject(reason);
      };
      this.#queue.push(waiting);
      this.#handOut();
    });
    return { result, stop };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(unavailable("the server is closing"));
  }

  #handOut(): void {
    clearTimeout(this.#idle);
    while (this.#queue.length > 0) {
      const thread = this.#freeThread();
      if (thread === undefined) return;
      this.#give(thread, this.#queue.shift() as Waiting);
    }
    const isBusy = [...this.#threads].some(({ asked }) => asked.length > 0);
    if (!isBusy) this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs ?? IDLE_MS).unref();
  }

  /** The one with the least to do; a new one rather than a busy one. */
  #freeThread(): Thread | undefined {
    const [least] = [...this.#threads].toSorted((one, other) => one.asked.length - other.asked.length);
    if (least?.asked.length === 0) return least;
    if (this.#threads.size < this.count) return this.#start();
    return least !== undefined && least.asked.length < ASKED_AT_ONCE ? least : undefined;
  }

  #start(): Thread {
    const { file, memory = MEMORY } = this.#options;
    // What a parser prints must not come onto the output that clients listen to.
    const worker = new Worker(file, { resourceLimits: memory, execArgv: [], stdout: true, stderr: true });
    for (const stream of [worker.stdout, worker.stderr]) stream.resume();
    const thread: Thread = { worker, asked: [], timer: undefined, hasAnswered: false };
    this.#threads.add(thread);
    worker.on("message", (answer: Answer) => this.#hear(thread, answer));
    worker.on("error", (error: NodeJS.ErrnoException) => this.#lose(thread, error));
    worker.on("exit", () => this.#lose(thread, new Error("the thread has ended")));
    return thread;
  }

  #give(thread: Thread, waiting: Waiting): void {
    thread.asked.push(waiting);
    thread.worker.ref();
    // Copied, not given away: a thread that dies of another text leaves this one to be asked again.
    thread.worker.postMessage(waiting.job, []);
    if (thread.asked.length === 1) this.#watch(thread);
  }

  #hear(thread: Thread, { id, isSpent, ...told }: Answer): void {
    const [first] = thread.asked;
    if (first?.job.id !== id) return;
    thread.asked.shift();
    if (told.files === undefined) thread.hasAnswered = true;
    this.#watch(thread);
    first.resolve(told);
    if (isSpent) this.#drop(thread);
    this.#handOut();
  }

  /** A text that takes for ever takes its thread with it. */
  #watch(thread: Thread): void {
    clearTimeout(thread.timer);
    if (thread.asked.length === 0) return thread.worker.unref();
    const jobMs = this.#options.jobMs ?? JOB_MS;
    thread.timer = setTimeout(() => {
      thread.asked.shift()?.resolve({ fault: `it took longer than ${jobMs / 1000} seconds` });
      this.#drop(thread);
      this.#handOut();
    }, jobMs);
  }

  #lose(thread: Thread, error: NodeJS.ErrnoException): void {
    if (!this.#threads.has(thread)) return;
    const isTooMuch = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    const first = thread.asked.shift();
    if (isTooMuch) first?.resolve({ fault: "it took more memory than a thread may have" });
    else if (thread.hasAnswered)
      first?.resolve({ fault: `the thread that read it failed: ${error.message}`, isPassing: true });
    // No text is at fault where not even the first one could be looked at.
    else first?.reject(unavailable(error.message));
    this.#drop(thread);
    this.#handOut();
  }

  /** Ends a thread; what else it was asked goes to others. */
  #drop(thread: Thread): void {
    this.#threads.delete(thread);
    clearTimeout(thread.timer);
    this.#queue.unshift(...thread.asked.splice(0));
    void thread.worker.terminate();
  }

  async #end(reason?: ToolError): Promise<void> {
    clearTimeout(this.#idle);
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const { timer } of threads) clearTimeout(timer);
    const left = [...this.#queue.splice(0), ...threads.flatMap(({ asked }) => asked.splice(0))];
    for (const { reject } of left) reject(reason);
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }
}

const unavailable = (reason: string): ToolError =>
  new ToolError(`Cannot read sources: no thread could be had for it (${reason}). Try again.`, { code: "UNAVAILABLE" });

/** Work that has begun. */
export interface Begun<Value> {
  readonly result: Promise<Value>;
  /** Ends it; the result is then rejected with the reason. */
  stop(reason: unknown): void;
}

/** Work that somebody waits for. */
interface SharedJob<Value> {
  readonly begun: Begun<Value>;
  waiting: number;
}

/** Work under way by what it is about, so that all who want the same wait for it once. */
export class InFlight<Value> {
  readonly #jobs = new Map<string, SharedJob<Value>>();

  /** Begins the work, or waits with those who have begun it. It is stopped only when nobody waits for it any more. */
  share(key: string, signal: AbortSignal, begin: () => Begun<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const job = this.#jobs.get(key) ?? this.#start(key, begin);
      job.waiting += 1;
      const leave = (): void => {
        job.waiting -= 1;
        reject(signal.reason);
        if (job.waiting > 0) return;
        this.#forget(key, job);
        job.begun.stop(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      void job.begun.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  #start(key: string, begin: () => Begun<Value>): SharedJob<Value> {
    const job: SharedJob<Value> = { begun: begin(), waiting: 0 };
    this.#jobs.set(key, job);
    const end = (): void => this.#forget(key, job);
    void job.begun.result.then(end, end);
    return job;
  }

  #forget(key: string, job: SharedJob<Value>): void {
    if (this.#jobs.get(key) === job) this.#jobs.delete(key);
  }
}

/** The program of the worker threads. */
export const WORKER_FILE = builtFile("analysis-worker.js");
