import { type ChildProcess, spawn } from "node:child_process";
import type { JsonObject } from "@toolwright/engine";
import { asObject, came, type Reply, remark, resultOf, sent, shorten, type Talk } from "./connection.js";
import { endGroup, type GroupMember, membersOf, watchGroup } from "./process-group.js";
import { CODES, dress, type Era, introduce, type Speaker } from "./protocol.js";

/** A server that writes a longer line is not listened to any further. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Cuts bytes into lines, and keeps no more of one than fits. */
class LineCutter {
  readonly #hear: (line: string) => void;
  #pieces: Buffer[] = [];
  #size = 0;
  #isFull = false;

  constructor(hear: (line: string) => void) {
    this.#hear = hear;
  }

  take(bytes: Buffer): void {
    let rest = bytes;
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      this.#keep(rest.subarray(0, at));
      this.finish();
      rest = rest.subarray(at + 1);
    }
    this.#keep(rest);
  }

  /** What has come is a whole line, though nothing has ended it. */
  finish(): void {
    if (this.#size > 0) this.#hear(Buffer.concat(this.#pieces).toString("utf8"));
    this.#pieces = [];
    this.#size = 0;
    this.#isFull = false;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#isFull) return;
    this.#isFull = this.#size + piece.length > LONGEST_LINE;
    if (this.#isFull) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
  }
}

/** How a server is started. */
export interface ProgramTarget {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** How much of what a server says is kept. */
const MOST_MESSAGES = 2000;
const MOST_STRAY_LINES = 50;
const MOST_STDERR = 4096;

interface Heard {
  readonly message: JsonObject;
  readonly text: string;
}

/** A server that runs as a child: raw lines to its stdin, everything that it writes is heard. */
export class Program {
  /** Lines on stdout that are no JSON-RPC message. */
  readonly strayLines: string[] = [];
  readonly heard: Heard[] = [];
  /** How many arrays of messages came. */
  arrays = 0;
  stderr = "";
  stderrBytes = 0;
  /** How it ended, in words; undefined while it lives. */
  ending: string | undefined;
  readonly #child: ChildProcess;
  readonly #cutter = new LineCutter((line) => this.#hear(line));
  readonly #listeners = new Set<() => void>();
  readonly #patienceMs: number;
  readonly #asked = new Set<unknown>();
  #next = 1000;

  constructor({ command, args, env, cwd }: ProgramTarget, patienceMs: number) {
    this.#patienceMs = patienceMs;
    const isWindows = process.platform === "win32";
    this.#child = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      detached: !isWindows,
      windowsHide: true,
      ...(env !== undefined && { env }),
      ...(cwd !== undefined && { cwd }),
    });
    if (this.#child.pid !== undefined) watchGroup(this.#child.pid);
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stdout?.on("data", (bytes: Buffer) => this.#cutter.take(bytes));
    this.#child.stderr?.on("data", (bytes: Buffer) => {
      this.stderrBytes += bytes.length;
      if (this.stderr.length < MOST_STDERR) this.stderr += bytes.toString("utf8");
    });
    this.#child.once("error", (error) => this.#end(`it could not be started: ${error.message}`));
    this.#child.once("exit", (code, signal) => {
      this.#end(signal === null ? `the process ended with code ${code}` : `the process was ended by ${signal}`);
    });
  }

  /** The living processes that it consists of; undefined = the system does not tell. */
  get members(): readonly GroupMember[] | undefined {
    return this.#child.pid === undefined ? [] : membersOf(this.#child.pid);
  }

  /** Sends one line. */
  say(text: string): void {
    if (this.ending === undefined) this.#child.stdin?.write(`${text}\n`);
  }

  /** Sends a notification. */
  notify(method: string, params?: Readonly<Record<string, unknown>>): void {
    this.say(JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) }));
  }

  /** Sends a request, and waits for its answer. */
  async ask(method: string, params?: Readonly<Record<string, unknown>>, id?: number | string): Promise<Reply> {
    const own = id ?? this.#next++;
    this.#asked.add(own);
    const text = JSON.stringify({ jsonrpc: "2.0", id: own, method, ...(params && { params }) });
    this.say(text);
    return this.answerTo(own, text);
  }

  /** Waits for the answer with an id to something that was sent. */
  async answerTo(id: number | string, text: string, withinMs = this.#patienceMs): Promise<Reply> {
    this.#asked.add(id);
    const found = await this.until(() => this.heard.find((one) => isAnswerTo(one.message, id)), withinMs);
    const own = [sent(text)];
    if (found !== undefined)
      return { kind: "answer", message: found.message, reason: "", evidence: [...own, came(found.text)] };
    if (this.ending !== undefined)
      return { kind: "end", message: {}, reason: this.ending, evidence: [...own, remark(this.#lastWords)] };
    const reason = `no answer within ${Math.round(withinMs / 100) / 10} s`;
    return { kind: "silence", message: {}, reason, evidence: [...own, remark(reason)] };
  }

  /** Answers with ids that nobody has asked with. */
  unmatched(): readonly string[] {
    const strangers = this.heard.filter(({ message }) => !("method" in message) && !this.#asked.has(message["id"]));
    return strangers.map(({ text }) => came(text));
  }

  /** Waits until there is something; undefined when the time is over or the process has ended without it. */
  async until<Value>(look: () => Value | undefined, withinMs: number): Promise<Value | undefined> {
    const early = look();
    if (early !== undefined || this.ending !== undefined) return early;
    return new Promise((resolve) => {
      const stop = (value: Value | undefined): void => {
        clearTimeout(timer);
        this.#listeners.delete(listen);
        resolve(value);
      };
      const listen = (): void => {
        const value = look();
        if (value !== undefined || this.ending !== undefined) stop(value);
      };
      const timer = setTimeout(() => stop(look()), withinMs);
      this.#listeners.add(listen);
    });
  }

  /** Closes its stdin. */
  endInput(): void {
    this.#child.stdin?.end();
  }

  /** Asks the process to end. */
  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  /** Whether the process ends in time. */
  async endsWithin(withinMs: number): Promise<boolean> {
    await this.until(() => this.ending, withinMs);
    return this.ending !== undefined;
  }

  /** Ends it and all that it has started, whatever it wants. */
  async stop(): Promise<void> {
    if (this.#child.pid !== undefined) endGroup(this.#child.pid);
    await this.until(() => this.ending, this.#patienceMs);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
  }

  get #lastWords(): string {
    const said = this.stderr.trim().split("\n").at(-1) ?? "";
    return `${this.ending ?? ""}${said === "" ? "" : `; its last words: ${said}`}`;
  }

  #end(ending: string): void {
    this.#cutter.finish();
    this.ending ??= ending;
    for (const listen of this.#listeners) listen();
  }

  #hear(line: string): void {
    if (line.trim() === "") return;
    const value = parse(line);
    const all = Array.isArray(value) ? value : [value];
    if (Array.isArray(value)) this.arrays += 1;
    for (const one of all) {
      const message = asObject(one);
      if (message === undefined || !isMessageLike(message)) this.#stray(line);
      else {
        if (this.heard.length < MOST_MESSAGES) this.heard.push({ message, text: shorten(line, 2000) });
        this.#answer(message);
      }
    }
    for (const listen of this.#listeners) listen();
  }

  #stray(line: string): void {
    if (this.strayLines.length < MOST_STRAY_LINES) this.strayLines.push(shorten(line));
  }

  /** The doctor can nothing but answer pings; a server that asks for more hears so. */
  #answer({ id, method }: JsonObject): void {
    if (method === undefined || id === undefined) return;
    const error = { code: CODES.methodNotFound, message: "This client cannot do that" };
    this.say(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "ping" ? { result: {} } : { error }) }));
  }
}

const isAnswerTo = (message: JsonObject, id: number | string): boolean =>
  message["id"] === id && message["method"] === undefined;

const isMessageLike = (message: JsonObject): boolean =>
  "jsonrpc" in message || "method" in message || "result" in message || "error" in message;

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A conversation with a program, which can be looked at as it goes. */
export interface ProgramTalk extends Talk {
  readonly program: Program;
  /** How long it took to the first answer, which tells how busy the machine is. */
  readonly openedMs: number;
}

/** Starts a program and opens a conversation with it. */
export async function openProgram(
  target: ProgramTarget,
  era: Era,
  speaker: Speaker,
  patienceMs: number,
): Promise<ProgramTalk> {
  const begun = performance.now();
  const program = new Program(target, patienceMs);
  const opening = era.handshake
    ? await program.ask("initialize", introduce(era.version, speaker), 1)
    : await program.ask("server/discover", dress(era, {}, speaker), 1);
  const openedMs = performance.now() - begun;
  if (era.handshake && resultOf(opening) !== undefined) program.notify("notifications/initialized");
  return {
    program,
    openedMs,
    era,
    opening,
    ask: (method, params = {}, id) => program.ask(method, dress(era, params, speaker), id),
    async notify(method, params) {
      program.notify(method, params);
    },
    heard: () => program.heard.map(({ message }) => message),
    unmatched: () => program.unmatched(),
    close: () => program.stop(),
  };
}
