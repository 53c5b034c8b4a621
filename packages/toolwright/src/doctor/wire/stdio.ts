import { type ChildProcess, spawn } from "node:child_process";
import type { JsonObject } from "@toolwright/engine";
import {
  asObject,
  type Conversation,
  comment,
  type Reply,
  receivedFrame,
  resultOf,
  sentFrame,
  shorten,
} from "./connection.js";
import { endGroup, type GroupMember, membersOf, watchGroup } from "./process-group.js";
import { addMeta, type ClientInfo, CODES, initializeParams, type ProtocolRevision } from "./protocol.js";

/** The rest of a longer line is ignored. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Splits bytes into lines. */
class LineSplitter {
  readonly #onLine: (line: string) => void;
  #pieces: Buffer[] = [];
  #size = 0;
  #isFull = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
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

  /** Ends the current line. */
  finish(): void {
    if (this.#size > 0) this.#onLine(Buffer.concat(this.#pieces).toString("utf8"));
    this.#pieces = [];
    this.#size = 0;
    this.#isFull = false;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#isFull) return;
    this.#isFull = this.#size + piece.length > MAX_LINE_BYTES;
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

/** How much of the output is kept. */
const MAX_MESSAGES = 2000;
const MAX_STRAY_LINES = 50;
const MAX_STDERR_LENGTH = 4096;

interface ReceivedMessage {
  readonly message: JsonObject;
  readonly text: string;
}

/** A server that runs as a child process. */
export class Program {
  /** Lines on stdout that are not JSON-RPC messages. */
  readonly strayLines: string[] = [];
  readonly received: ReceivedMessage[] = [];
  /** How many batches were received. */
  arrays = 0;
  stderr = "";
  stderrBytes = 0;
  /** How it exited; undefined while it runs. */
  exitReason: string | undefined;
  readonly #child: ChildProcess;
  readonly #splitter = new LineSplitter((line) => this.#onLine(line));
  readonly #listeners = new Set<() => void>();
  readonly #responseTimeoutMs: number;
  readonly #asked = new Set<unknown>();
  #next = 1000;

  constructor({ command, args, env, cwd }: ProgramTarget, responseTimeoutMs: number) {
    this.#responseTimeoutMs = responseTimeoutMs;
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
    this.#child.stdout?.on("data", (bytes: Buffer) => this.#splitter.take(bytes));
    this.#child.stderr?.on("data", (bytes: Buffer) => {
      this.stderrBytes += bytes.length;
      if (this.stderr.length < MAX_STDERR_LENGTH) this.stderr += bytes.toString("utf8");
    });
    this.#child.once("error", (error) => this.#end(`it could not be started: ${error.message}`));
    this.#child.once("exit", (code, signal) => {
      this.#end(signal === null ? `the process exited with code ${code}` : `the process was killed by ${signal}`);
    });
  }

  /** Its running processes; undefined if the system has no list of them. */
  get members(): readonly GroupMember[] | undefined {
    return this.#child.pid === undefined ? [] : membersOf(this.#child.pid);
  }

  /** Sends one line. */
  write(text: string): void {
    if (this.exitReason === undefined) this.#child.stdin?.write(`${text}\n`);
  }

  /** Sends a notification. */
  notify(method: string, params?: Readonly<Record<string, unknown>>): void {
    this.write(JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) }));
  }

  /** Sends a request, and waits for the response. */
  async ask(method: string, params?: Readonly<Record<string, unknown>>, id?: number | string): Promise<Reply> {
    const own = id ?? this.#next++;
    this.#asked.add(own);
    const text = JSON.stringify({ jsonrpc: "2.0", id: own, method, ...(params && { params }) });
    this.write(text);
    return this.responseTo(own, text);
  }

  /** Waits for the response with an id. */
  async responseTo(id: number | string, text: string, withinMs = this.#responseTimeoutMs): Promise<Reply> {
    this.#asked.add(id);
    const found = await this.until(() => this.received.find((one) => isResponseTo(one.message, id)), withinMs);
    const own = [sentFrame(text)];
    if (found !== undefined)
      return { kind: "answer", message: found.message, reason: "", evidence: [...own, receivedFrame(found.text)] };
    if (this.exitReason !== undefined)
      return { kind: "end", message: {}, reason: this.exitReason, evidence: [...own, comment(this.#exitSummary)] };
    const reason = `no response within ${Math.round(withinMs / 100) / 10} s`;
    return { kind: "silence", message: {}, reason, evidence: [...own, comment(reason)] };
  }

  /** Responses whose ids match no request. */
  unmatchedResponses(): readonly string[] {
    const strangers = this.received.filter(({ message }) => !("method" in message) && !this.#asked.has(message["id"]));
    return strangers.map(({ text }) => receivedFrame(text));
  }

  /** Waits until `look` returns a value; undefined after the timeout, or if the process exits first. */
  async until<Value>(look: () => Value | undefined, withinMs: number): Promise<Value | undefined> {
    const early = look();
    if (early !== undefined || this.exitReason !== undefined) return early;
    return new Promise((resolve) => {
      const stop = (value: Value | undefined): void => {
        clearTimeout(timer);
        this.#listeners.delete(listen);
        resolve(value);
      };
      const listen = (): void => {
        const value = look();
        if (value !== undefined || this.exitReason !== undefined) stop(value);
      };
      const timer = setTimeout(() => stop(look()), withinMs);
      this.#listeners.add(listen);
    });
  }

  /** Closes its stdin. */
  endInput(): void {
    this.#child.stdin?.end();
  }

  /** Sends SIGTERM. */
  terminate(): void {
    this.#child.kill("SIGTERM");
  }

  /** Whether the process exits in time. */
  async exitsWithin(withinMs: number): Promise<boolean> {
    await this.until(() => this.exitReason, withinMs);
    return this.exitReason !== undefined;
  }

  /** Kills it and its child processes. */
  async stop(): Promise<void> {
    if (this.#child.pid !== undefined) endGroup(this.#child.pid);
    await this.until(() => this.exitReason, this.#responseTimeoutMs);
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
  }

  get #exitSummary(): string {
    const said = this.stderr.trim().split("\n").at(-1) ?? "";
    return `${this.exitReason ?? ""}${said === "" ? "" : `; stderr ended with: ${said}`}`;
  }

  #end(exitReason: string): void {
    this.#splitter.finish();
    this.exitReason ??= exitReason;
    for (const listen of this.#listeners) listen();
  }

  #onLine(line: string): void {
    if (line.trim() === "") return;
    const value = parse(line);
    const all = Array.isArray(value) ? value : [value];
    if (Array.isArray(value)) this.arrays += 1;
    for (const one of all) {
      const message = asObject(one);
      if (message === undefined || !isMessageLike(message)) this.#stray(line);
      else {
        if (this.received.length < MAX_MESSAGES) this.received.push({ message, text: shorten(line, 2000) });
        this.#answer(message);
      }
    }
    for (const listen of this.#listeners) listen();
  }

  #stray(line: string): void {
    if (this.strayLines.length < MAX_STRAY_LINES) this.strayLines.push(shorten(line));
  }

  /** Responds to ping, and rejects every other request. */
  #answer({ id, method }: JsonObject): void {
    if (method === undefined || id === undefined) return;
    const error = { code: CODES.methodNotFound, message: "The client does not support this method" };
    this.write(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "ping" ? { result: {} } : { error }) }));
  }
}

const isResponseTo = (message: JsonObject, id: number | string): boolean =>
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

/** A conversation with a program. */
export interface StdioConversation extends Conversation {
  readonly program: Program;
  /** How long the first response took: a measure of the load of the machine. */
  readonly openedMs: number;
}

/** Starts a program, and opens a conversation with it. */
export async function openStdio(
  target: ProgramTarget,
  revision: ProtocolRevision,
  clientInfo: ClientInfo,
  responseTimeoutMs: number,
): Promise<StdioConversation> {
  const startedAt = performance.now();
  const program = new Program(target, responseTimeoutMs);
  const opening = revision.handshake
    ? await program.ask("initialize", initializeParams(revision.version, clientInfo), 1)
    : await program.ask("server/discover", addMeta(revision, {}, clientInfo), 1);
  const openedMs = performance.now() - startedAt;
  if (revision.handshake && resultOf(opening) !== undefined) program.notify("notifications/initialized");
  return {
    program,
    openedMs,
    revision,
    opening,
    ask: (method, params = {}, id) => program.ask(method, addMeta(revision, params, clientInfo), id),
    async notify(method, params) {
      program.notify(method, params);
    },
    received: () => program.received.map(({ message }) => message),
    unmatchedResponses: () => program.unmatchedResponses(),
    close: () => program.stop(),
  };
}
