import { availableParallelism } from "node:os";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { ToolError } from "@toolwright/engine";
import { builtFile, type FileContents } from "@toolwright/kit/files";
import type { Answer, FactsJob, FilesJob, Job, JobInput, StepsJob } from "./worker.js";

/** The program of the worker threads. */
export const WORKER_FILE = builtFile("analysis-worker.js");

/** The result of a job. */
export interface JobResult extends Omit<Answer, "id" | "isUnusable"> {
  /** The failure may not come from the content: another attempt may succeed. */
  readonly isTransient?: true;
}

/** How threads are started. */
export interface WorkersOptions {
  /** The program that they run. */
  readonly file: URL;
  /** How many there are at most. */
  readonly count?: number | undefined;
  /** The time limit for one job. */
  readonly jobMs?: number;
  /** How long idle threads are kept. */
  readonly idleMs?: number;
  readonly memory?: ResourceLimits;
}

interface Task {
  readonly job: Job;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread and its tasks. It works on the first one. */
interface Thread {
  readonly worker: Worker;
  readonly tasks: Task[];
  timer: NodeJS.Timeout | undefined;
  /** Whether it has finished a content job. */
  hasAnswered: boolean;
}

/** Work that several callers wait for. */
interface SharedTask {
  readonly result: Promise<JobResult>;
  /** Cancels the work; the result is then rejected with the reason. */
  cancel(reason: unknown): void;
  waiting: number;
}

const MAX_THREADS = 8;
/** A thread always has its next job; more would only use memory. */
const TASKS_PER_THREAD = 2;
/** How many threads are started early, when the number of files is still unknown. */
const EARLY_THREADS = 2;
const JOB_MS = 20_000;
const IDLE_MS = 20_000;
/** A syntax tree should be collected while young: with a smaller young generation much of it is copied first. */
const MEMORY: ResourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 48 };

/** A pool of threads that read and analyze sources, with limits on time and memory. */
export class Workers {
  /** How many threads there are at most. */
  readonly count: number;
  readonly #options: WorkersOptions;
  readonly #threads = new Set<Thread>();
  readonly #queue: Task[] = [];
  readonly #shared = new Map<string, SharedTask>();
  #lastId = 0;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.count = options.count ?? Math.min(availableParallelism(), MAX_THREADS);
  }

  /** How many jobs keep all threads busy. */
  get concurrency(): number {
    return this.count * TASKS_PER_THREAD;
  }

  /** The limits as text: a content that exceeded them may be within others. */
  get limits(): string {
    const { jobMs = JOB_MS, memory = MEMORY } = this.#options;
    return `${jobMs} ${memory.maxOldGenerationSizeMb} ${memory.maxYoungGenerationSizeMb}`;
  }

  /** Starts some threads before the first job. */
  prepare(): void {
    while (!this.#isClosed && this.#threads.size < Math.min(this.count, EARLY_THREADS)) this.#start().worker.unref();
    this.#assign();
  }

  /**
   * Reads facts from a content. Concurrent calls for the same content share one job. A content that kills its thread is a failure;
   * throws if threads cannot be started, or on cancellation.
   */
  readFacts(hash: string, job: FactsJob, signal: AbortSignal): Promise<JobResult> {
    return this.#share([hash, job.language, ...job.wanted.toSorted()].join(" "), signal, job);
  }

  /** Finds refactoring steps for a function of a content. Fails like `readFacts`. */
  findSteps(job: StepsJob, signal: AbortSignal): Promise<JobResult> {
    return this.#share(`${this.#lastId + 1}`, signal, job);
  }

  /** Reads files by their real paths; undefined for those that need the checks of the main thread. Throws like `readFacts`. */
  async readFiles(job: FilesJob, signal: AbortSignal): Promise<readonly (FileContents | undefined)[]> {
    return (await this.#share(`${this.#lastId + 1}`, signal, job)).files ?? [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end(unavailable("the server is closing"));
  }

  /** Starts a job, or waits for the one with the same key. It is cancelled only when nobody waits for it any more. */
  #share(key: string, signal: AbortSignal, job: JobInput): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const shared = this.#shared.get(key) ?? this.#startShared(key, job);
      shared.waiting += 1;
      const leave = (): void => {
        shared.waiting -= 1;
        reject(signal.reason);
        if (shared.waiting > 0) return;
        this.#forget(key, shared);
        shared.cancel(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      void shared.result.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
    });
  }

  #startShared(key: string, input: JobInput): SharedTask {
    const shared: SharedTask = { ...this.#enqueue(input), waiting: 0 };
    this.#shared.set(key, shared);
    const forget = (): void => this.#forget(key, shared);
    void shared.result.then(forget, forget);
    return shared;
  }

  #forget(key: string, shared: SharedTask): void {
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
  }

  #enqueue(input: JobInput): Pick<SharedTask, "result" | "cancel"> {
    let cancel: SharedTask["cancel"] = () => undefined;
    this.#lastId += 1;
    const job = { id: this.#lastId, ...input };
    const result = new Promise<JobResult>((resolve, reject) => {
      if (this.#isClosed) throw unavailable("the server is closing");
      const task = { job, resolve, reject };
      cancel = (reason) => {
        const at = this.#queue.indexOf(task);
        if (at !== -1) this.#queue.splice(at, 1);
        reject(reason);
      };
      this.#queue.push(task);
      this.#assign();
    });
    return { result, cancel };
  }

  #assign(): void {
    clearTimeout(this.#idle);
    while (this.#queue.length > 0) {
      const thread = this.#freeThread();
      if (thread === undefined) return;
      this.#send(thread, this.#queue.shift() as Task);
    }
    const isBusy = [...this.#threads].some(({ tasks }) => tasks.length > 0);
    if (!isBusy) this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs ?? IDLE_MS).unref();
  }

  /** The thread with the fewest tasks; a new one rather than a busy one. */
  #freeThread(): Thread | undefined {
    const [least] = [...this.#threads].toSorted((a, b) => a.tasks.length - b.tasks.length);
    if (least?.tasks.length === 0) return least;
    if (this.#threads.size < this.count) return this.#start();
    return least !== undefined && least.tasks.length < TASKS_PER_THREAD ? least : undefined;
  }

  #start(): Thread {
    const { file, memory = MEMORY } = this.#options;
    // What a parser prints must not reach the standard output, which clients read.
    const worker = new Worker(file, { resourceLimits: memory, execArgv: [], stdout: true, stderr: true });
    for (const stream of [worker.stdout, worker.stderr]) stream.destroy();
    const thread: Thread = { worker, tasks: [], timer: undefined, hasAnswered: false };
    this.#threads.add(thread);
    worker.on("message", (answer: Answer) => this.#receive(thread, answer));
    worker.on("error", (error: NodeJS.ErrnoException) => this.#lose(thread, error));
    worker.on("exit", () => this.#lose(thread, new Error("the thread has ended")));
    return thread;
  }

  #send(thread: Thread, task: Task): void {
    thread.tasks.push(task);
    thread.worker.ref();
    // Copied, not transferred: if the thread dies of another content, this one is sent again.
    thread.worker.postMessage(task.job, []);
    if (thread.tasks.length === 1) this.#watch(thread);
  }

  #receive(thread: Thread, { id, isUnusable, ...result }: Answer): void {
    const [first] = thread.tasks;
    if (first?.job.id !== id) return;
    thread.tasks.shift();
    if (result.files === undefined) thread.hasAnswered = true;
    this.#watch(thread);
    first.resolve(result);
    if (isUnusable) this.#drop(thread);
    this.#assign();
  }

  /** Ends the thread if its first task exceeds the time limit. */
  #watch(thread: Thread): void {
    clearTimeout(thread.timer);
    if (thread.tasks.length === 0) return thread.worker.unref();
    const jobMs = this.#options.jobMs ?? JOB_MS;
    thread.timer = setTimeout(() => {
      thread.tasks.shift()?.resolve({ failure: `it took longer than ${jobMs / 1000} seconds` });
      this.#drop(thread);
      this.#assign();
    }, jobMs);
  }

  #lose(thread: Thread, error: NodeJS.ErrnoException): void {
    if (!this.#threads.has(thread)) return;
    const first = thread.tasks.shift();
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY")
      first?.resolve({ failure: "it took more memory than a thread may use" });
    else if (thread.hasAnswered)
      first?.resolve({ failure: `the thread that read it failed: ${error.message}`, isTransient: true });
    // A thread that fails at its first content may fail at any.
    else first?.reject(unavailable(error.message));
    this.#drop(thread);
    this.#assign();
  }

  /** Ends a thread and puts its other tasks back into the queue. */
  #drop(thread: Thread): void {
    this.#threads.delete(thread);
    clearTimeout(thread.timer);
    this.#queue.unshift(...thread.tasks.splice(0));
    void thread.worker.terminate();
  }

  async #end(reason?: ToolError): Promise<void> {
    clearTimeout(this.#idle);
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const { timer } of threads) clearTimeout(timer);
    const left = [...this.#queue.splice(0), ...threads.flatMap(({ tasks }) => tasks.splice(0))];
    for (const { reject } of left) reject(reason);
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }
}

const unavailable = (reason: string): ToolError =>
  new ToolError(`Cannot read sources: no worker thread is available (${reason}).`, {
    code: "UNAVAILABLE",
    hint: { action: "try again" },
  });
