import { type OutputStream, PlainText, type ProgramStop, startProgram } from "@toolwright/kit/processes";
import { Spool } from "./spool.js";

/** What a process is started with. */
export interface ProcessOptions {
  /** Whose it is. */
  readonly principal: string | undefined;
  /** The command as people would write it. */
  readonly command: string;
  /** The absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Hears of what it writes, as plain text. */
  hear?(text: string, from: OutputStream): void;
}

/** A program that runs beside the calls: its output is kept in a spool, and read from there. */
export class BackgroundProcess {
  readonly id: string;
  readonly principal: string | undefined;
  readonly command: string;
  readonly spool: Spool;
  readonly pid: number | undefined;
  readonly startedAt = Date.now();
  /** Comes to pass when it has ended and all of its output is kept; rejects where it could not be started. */
  readonly ended: Promise<ProgramStop>;
  /** How it ended; undefined while it runs. */
  end: ProgramStop | undefined;
  endedAt: number | undefined;
  /** What somebody has made of its output: a list that `process_read` can show. */
  findings: readonly object[] | undefined;
  readonly #stop = new AbortController();
  readonly #plain = { stdout: new PlainText(), stderr: new PlainText() };
  readonly #hear: ProcessOptions["hear"];
  readonly #listeners = new Set<() => void>();
  #from: OutputStream = "stdout";
  #isAtLineStart = true;

  constructor(id: string, folder: string, options: ProcessOptions) {
    this.id = id;
    this.principal = options.principal;
    this.command = options.command;
    this.spool = new Spool(folder, id);
    this.#hear = options.hear?.bind(options);
    const { signal: given, program, args, cwd, env, timeoutMs } = options;
    const signal = given === undefined ? this.#stop.signal : AbortSignal.any([given, this.#stop.signal]);
    const { pid, ended } = startProgram(signal, program, args, {
      cwd,
      env,
      timeoutMs,
      take: (piece, from) => this.#keep(this.#plain[from].add(piece), from),
    });
    this.pid = pid;
    this.ended = ended.then((end) => this.#finish(end));
    this.ended.catch(() => undefined);
  }

  get isRunning(): boolean {
    return this.end === undefined;
  }

  /** Ends it and all that it has started. */
  stop(): void {
    this.#stop.abort();
  }

  /** Waits until there is more than `offset`, it has ended, the time is up or the signal is aborted. */
  async news(offset: number, waitMs: number, signal: AbortSignal): Promise<void> {
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

  async #keep(text: string, from: OutputStream): Promise<void> {
    if (text === "") return;
    // Where the program writes changes seldom, so a line at each change costs less than a mark at each line.
    const mark = from === this.#from ? "" : `${this.#isAtLineStart ? "" : "\n"}[${from}]\n`;
    this.#from = from;
    this.#isAtLineStart = text.endsWith("\n");
    this.#hear?.(text, from);
    await this.spool.write(mark + text);
    this.#tell();
  }

  async #finish(end: ProgramStop): Promise<ProgramStop> {
    for (const from of ["stdout", "stderr"] as const) await this.#keep(this.#plain[from].end(), from);
    await this.spool.close();
    this.end = end;
    this.endedAt = Date.now();
    this.#tell();
    return end;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
