import { type OutputStream, PlainText, type ProgramStop, startProgram } from "@toolwright/kit/processes";
import { Spool } from "./spool.js";

/** How a process is started. */
export interface ProcessOptions {
  /** The caller that may read and stop it. */
  readonly principal: string | undefined;
  /** The command line for display. */
  readonly command: string;
  /** The absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Stops it. */
  readonly signal?: AbortSignal;
  /** Receives its output as plain text. */
  onOutput?(text: string, stream: OutputStream): void;
}

/** A program that runs independently of calls. Its output is stored in a spool. */
export class BackgroundProcess {
  readonly id: string;
  readonly principal: string | undefined;
  readonly command: string;
  readonly spool: Spool;
  readonly pid: number | undefined;
  readonly startedAt = Date.now();
  /** Resolves when it has ended and its whole output is stored. Rejects if it could not be started. */
  readonly ended: Promise<ProgramStop>;
  /** How it ended; undefined while it is running. */
  end: ProgramStop | undefined;
  endedAt: number | undefined;
  /** The failures that were parsed from its output, for `process_read`. */
  findings: readonly object[] | undefined;
  readonly #stop = new AbortController();
  readonly #plain = { stdout: new PlainText(), stderr: new PlainText() };
  readonly #onOutput: ProcessOptions["onOutput"];
  readonly #listeners = new Set<() => void>();
  #stream: OutputStream = "stdout";
  #isAtLineStart = true;

  constructor(id: string, folder: string, options: ProcessOptions) {
    this.id = id;
    this.principal = options.principal;
    this.command = options.command;
    this.spool = new Spool(folder, id);
    this.#onOutput = options.onOutput?.bind(options);
    const { signal: outerSignal, program, args, cwd, env, timeoutMs } = options;
    const signal = outerSignal === undefined ? this.#stop.signal : AbortSignal.any([outerSignal, this.#stop.signal]);
    const { pid, ended } = startProgram(signal, program, args, {
      cwd,
      env,
      timeoutMs,
      endsTree: true,
      take: (piece, stream) => this.#store(this.#plain[stream].add(piece), stream),
    });
    this.pid = pid;
    this.ended = ended.then((end) => this.#finish(end));
    this.ended.catch(() => undefined);
  }

  get isRunning(): boolean {
    return this.end === undefined;
  }

  /** Stops it and all processes that it has started. */
  stop(): void {
    this.#stop.abort();
  }

  /** Waits until there is output after `offset`, the process has ended, the time is up or the signal is aborted. */
  async waitForOutput(offset: number, waitMs: number, signal: AbortSignal): Promise<void> {
    if (!this.isRunning || this.spool.bytes > offset || waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#listeners.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
    signal.throwIfAborted();
  }

  async #store(text: string, stream: OutputStream): Promise<void> {
    if (text === "") return;
    // The stream changes rarely, so a line at each change is shorter than a prefix of each line.
    const mark = stream === this.#stream ? "" : `${this.#isAtLineStart ? "" : "\n"}[${stream}]\n`;
    this.#stream = stream;
    this.#isAtLineStart = text.endsWith("\n");
    this.#onOutput?.(text, stream);
    await this.spool.write(mark + text);
    this.#notify();
  }

  async #finish(end: ProgramStop): Promise<ProgramStop> {
    for (const stream of ["stdout", "stderr"] as const) await this.#store(this.#plain[stream].end(), stream);
    await this.spool.close();
    this.end = end;
    this.endedAt = Date.now();
    this.#notify();
    return end;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Describes a process for results. */
export function describeProcess({ id, command, pid, end, spool, startedAt }: BackgroundProcess) {
  return {
    id,
    command: command.slice(0, 2000),
    state: end === undefined ? ("running" as const) : ("ended" as const),
    ...(pid !== undefined && { pid }),
    bytes: spool.bytes,
    ...(end?.exitCode != null && { exit_code: end.exitCode }),
    ...(end?.signal != null && { signal: end.signal }),
    ...(end?.hasTimedOut === true && { timed_out: true }),
    duration_ms: Math.round(end?.durationMs ?? Date.now() - startedAt),
    ...(spool.error !== undefined && { lost: spool.error }),
  };
}
