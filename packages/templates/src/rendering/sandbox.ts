import { Worker } from "node:worker_threads";
import { type JsonObject, ToolError } from "@toolwright/engine";
import { builtFile } from "@toolwright/kit/files";
import { templateFailed } from "../errors.js";
import type { CheckedParameters } from "../format/parameters.js";
import type { ReadTemplate } from "../format/read-template.js";
import { type TemplateSource, uriOf } from "../format/template.js";
import type { Rendering, RenderOptions } from "./renderer.js";
import type { SandboxAnswer, SandboxJob } from "./worker.js";

/** Limits of the sandbox. */
export interface SandboxOptions {
  /** The maximum duration of one job. */
  readonly jobMs?: number;
  readonly memoryMb?: number;
}

const FILE = builtFile("templates-worker.js");
const JOB_MS = 5000;
/** The first job also waits for the thread to start. */
const START_MS = 10_000;
const IDLE_MS = 30_000;
const MEMORY_MB = 128;

/**
 * A worker thread that parses and renders untrusted templates, one job at a time. A job that takes too long or uses too much memory ends
 * the thread and fails; the server stays responsive. The thread starts with the first job and ends when it is idle.
 */
export class Sandbox {
  readonly #options: Required<SandboxOptions>;
  #last: Promise<unknown> = Promise.resolve();
  #worker: Worker | undefined;
  #hasAnswered = false;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ jobMs = JOB_MS, memoryMb = MEMORY_MB }: SandboxOptions = {}) {
    this.#options = { jobMs, memoryMb };
  }

  /** Reads and validates the template in a folder of a directory. Limits that it exceeds are errors of the template. */
  async read(directory: string, names: readonly string[]): Promise<ReadTemplate> {
    try {
      return (await this.#enqueue({ kind: "read", directory, names })) as ReadTemplate;
    } catch (error) {
      return { errors: [(error as Error).message] };
    }
  }

  /** Renders a template. Throws a `ToolError`. */
  async render(template: TemplateSource, parameters: JsonObject, options: RenderOptions): Promise<Rendering> {
    return (await this.#runFor(template, { kind: "render", template, parameters, options })) as Rendering;
  }

  /** Validates parameters. Throws a `ToolError`. */
  async check(template: TemplateSource, parameters: JsonObject): Promise<CheckedParameters> {
    return (await this.#runFor(template, { kind: "check", template, parameters })) as CheckedParameters;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
  }

  async #runFor(template: TemplateSource, job: SandboxJob): Promise<unknown> {
    try {
      return await this.#enqueue(job);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      throw templateFailed(uriOf(template), (error as Error).message, "TOO_LARGE", error);
    }
  }

  #enqueue(job: SandboxJob): Promise<unknown> {
    const result = this.#last.then(() => this.#run(job));
    this.#last = result.catch(() => undefined);
    return result;
  }

  #run(job: SandboxJob): Promise<unknown> {
    if (this.#isClosed) throw closingError();
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const { jobMs } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => {
        end();
        void this.#stop();
        reject(this.#isClosed ? closingError() : new Error(reason));
      };
      const timer = setTimeout(
        () => fail(`it takes longer than ${jobMs / 1000} seconds`),
        this.#hasAnswered ? jobMs : jobMs + START_MS,
      );
      const onMessage = (answer: SandboxAnswer): void => {
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
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      };
      worker.on("message", onMessage).on("error", onError).on("exit", onExit);
      worker.ref();
      worker.postMessage(job, []);
    });
  }

  #start(): Worker {
    // Output of the thread must not reach the stdout that a client reads.
    const resourceLimits = { maxOldGenerationSizeMb: this.#options.memoryMb };
    const worker = new Worker(FILE, { resourceLimits, execArgv: [], stdout: true, stderr: true });
    for (const stream of [worker.stdout, worker.stderr]) stream.resume();
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
  new ToolError("Cannot render a template: the server is closing.", { code: "UNAVAILABLE" });

const toError = ({ message, code, details }: Extract<SandboxAnswer, { error: object }>["error"]): Error =>
  code === undefined ? new Error(message) : new ToolError(message, { code, ...(details && { details }) });
