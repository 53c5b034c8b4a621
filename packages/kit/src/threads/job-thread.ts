import { Worker } from "node:worker_threads";
import { ToolError } from "@toolwright/engine";
import type { JobAnswer } from "./serve-jobs.js";

/** Limits of each job of a thread. */
export interface JobLimits {
  /** The maximum duration of one job. */
  readonly jobMs?: number;
  readonly memoryMb?: number;
}

/** A job took too much time or memory, or its thread failed. The message is a clause: "it takes longer than 5 seconds". */
export class JobLimitExceeded extends Error {
  override readonly name = "JobLimitExceeded";
}

const JOB_MS = 5000;
/** The first job also waits for the thread to start. */
const START_MS = 10_000;
const IDLE_MS = 30_000;
const MEMORY_MB = 128;

/**
 * A worker thread for work on content that users wrote, one job at a time. A job that takes too long or uses too much memory ends the
 * thread and fails; the server stays responsive. The thread starts with the first job, and ends when it is idle. Its script calls
 * `serveJobs`.
 */
export class JobThread<Job> {
  readonly #file: URL;
  readonly #limits: Required<JobLimits>;
  #last: Promise<unknown> = Promise.resolve();
  #worker: Worker | undefined;
  #hasAnswered = false;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(file: URL, { jobMs = JOB_MS, memoryMb = MEMORY_MB }: JobLimits = {}) {
    this.#file = file;
    this.#limits = { jobMs, memoryMb };
  }

  /**
   * Runs a job after those that wait. Throws what the job throws, `JobLimitExceeded`, or the abort reason of the signal. `jobMs` is a
   * limit for this job.
   */
  run(job: Job, signal?: AbortSignal, jobMs: number = this.#limits.jobMs): Promise<unknown> {
    const result = this.#last.then(() => this.#run(job, jobMs, signal));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread. Jobs that run or wait fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
  }

  #run(job: Job, jobMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closingError();
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const stop = (reason: unknown): void => {
        end();
        void this.#stop();
        reject(this.#isClosed ? closingError() : reason);
      };
      const fail = (reason: string): void => stop(new JobLimitExceeded(reason));
      const timer = setTimeout(
        () => fail(`it takes longer than ${jobMs / 1000} seconds`),
        this.#hasAnswered ? jobMs : jobMs + START_MS,
      );
      const onAbort = (): void => stop(signal?.reason);
      const onMessage = (answer: JobAnswer): void => {
        end();
        this.#hasAnswered = true;
        worker.unref();
        this.#idle = setTimeout(() => void this.#stop(), IDLE_MS).unref();
        if ("result" in answer) resolve(answer.result);
        else reject(toError(answer.error));
      };
      const onError = ({ code, message }: NodeJS.ErrnoException): void =>
        fail(code === "ERR_WORKER_OUT_OF_MEMORY" ? "it uses too much memory" : message);
      const onExit = (): void => fail("its thread has ended");
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      };
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      signal?.addEventListener("abort", onAbort, { once: true });
      worker.ref();
      worker.postMessage(job, []);
    });
  }

  #start(): Worker {
    // Output of the thread must not reach the stdout that a client reads.
    const resourceLimits = { maxOldGenerationSizeMb: this.#limits.memoryMb };
    const worker = new Worker(this.#file, { resourceLimits, execArgv: [], stdout: true, stderr: true });
    for (const stream of [worker.stdout, worker.stderr]) stream.destroy();
    // An error between two jobs would otherwise be uncaught.
    worker.on("error", () => undefined);
    return worker;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    this.#hasAnswered = false;
    await worker?.terminate();
  }
}

const closingError = (): ToolError =>
  new ToolError("Cannot do this now: the server is closing.", { code: "UNAVAILABLE" });

const toError = ({ message, code, details }: Extract<JobAnswer, { error: object }>["error"]): Error =>
  code === undefined ? new Error(message) : new ToolError(message, { code, ...(details && { details }) });
