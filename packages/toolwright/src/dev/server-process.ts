import path from "node:path";
import type { Readable } from "node:stream";
import type { Json, JsonObject } from "@toolwright/engine";
import { type Child, spawnChild } from "@toolwright/engine/transport";
import { isObject } from "@toolwright/kit/json";
import { ErrorLineReorderer, findCause } from "./failure-cause.js";
import { keyOf, type Lists, textIn } from "./messages.js";

/** How the process is started. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The built module hooks for TypeScript. */
const HOOKS = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/typescript-hooks.js" : "./typescript-hooks.js",
  import.meta.url,
);

/** Starts a file with Node, with module hooks for TypeScript. */
export function launchFile(file: string, args: readonly string[]): Launch {
  const hooks = ["--import", HOOKS.href, "--disable-warning=ExperimentalWarning"];
  const isTypeScript = /\.m?ts$/.test(file);
  return {
    command: process.execPath,
    args: [...(isTypeScript ? hooks : []), path.resolve(file), ...args],
    ...currentEnvironment(),
  };
}

/** Starts any program. */
export const launchCommand = (command: string, args: readonly string[]): Launch => ({
  command,
  args,
  ...currentEnvironment(),
});

const currentEnvironment = (): Pick<Launch, "cwd" | "env"> => ({ cwd: process.cwd(), env: process.env });

/** Reads the lines of a stream. Only line feeds end lines: JSON may contain other line separators. */
export function readLines(stream: Readable, onLine: (line: string) => void, onEnd: () => void = () => undefined): void {
  let parts: string[] = [];
  stream.setEncoding("utf8").on("data", (text: string) => {
    const [first = "", ...others] = text.split("\n");
    parts.push(first);
    for (const next of others) {
      onLine(parts.join("").replace(/\r$/, ""));
      parts = [next];
    }
  });
  stream.on("end", () => {
    const rest = parts.join("");
    if (rest !== "") onLine(rest);
    onEnd();
  });
  // A broken pipe has no more lines.
  stream.on("error", onEnd);
}

/** How long the process may take to respond to requests of the development server. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** How long it may take to exit after the end of its input, and again after SIGTERM. */
const EXIT_TIMEOUT_MS = 2000;
const KEPT_STDERR_LINES = 100;

/** A pending request of the client. */
interface Asked {
  readonly request: JsonObject;
  readonly method: string;
  /** Whether the client has cancelled it. */
  isCancelled: boolean;
}

/** Receives the output of a process. */
export interface ProcessListener {
  /** A line of its stdout. */
  said(code: ServerProcess, line: string): void;
  /** A line of its stderr. */
  wrote(line: string): void;
  /** It has exited. */
  ended(code: ServerProcess): void;
}

/** A process that runs one version of the author's code. */
export class ServerProcess {
  /** The pending requests of the client. */
  readonly asked = new Map<string, Asked>();
  /** The request states that only this process can continue. */
  readonly states = new Set<string>();
  readonly startedAt = performance.now();
  /** Whether it has responded to anything, and thus could start. */
  hasResponded = false;
  /** Its capabilities. */
  capabilities: JsonObject | undefined;
  /** The lists that it returned last. */
  lists: Lists | undefined;
  readonly #launch: Launch;
  readonly #child: Child;
  readonly #stop = new AbortController();
  readonly #own = new Map<string, (answer: JsonObject | Error) => void>();
  readonly #stderrLines: string[] = [];
  #number = 0;
  #exitReason = "";
  #hasEnded = false;

  constructor(launch: Launch, listener: ProcessListener) {
    this.#launch = launch;
    const { command, args, cwd, env } = launch;
    this.#child = spawnChild(this.#stop, command, args, { cwd, env, stdin: "pipe", graceMs: EXIT_TIMEOUT_MS });
    this.#child.once("error", (error) => {
      this.#exitReason = `it cannot be started: ${error.message}`;
    });
    // Writing to a process that has exited fails; its exit is reported instead.
    this.#child.stdin?.on("error", () => undefined);
    readLines(this.#child.stdout, (line) => listener.said(this, line));
    const words = new ErrorLineReorderer((line) => listener.wrote(line));
    const onStderrLine = (line: string): void => {
      this.#stderrLines.push(line);
      if (this.#stderrLines.length > KEPT_STDERR_LINES) this.#stderrLines.shift();
      words.receive(line);
    };
    readLines(this.#child.stderr, onStderrLine, () => words.over());
    this.#child.once("close", (code, signal) => {
      this.#hasEnded = true;
      this.#exitReason ||= signal === null ? `it exited with code ${code}` : `it was killed by ${signal}`;
      for (const settle of this.#own.values()) settle(new Error(this.cause));
      this.#own.clear();
      listener.ended(this);
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Why it has exited, in one line. */
  get cause(): string {
    return findCause(this.#stderrLines, this.#launch.cwd) ?? this.#exitReason;
  }

  /** Whether it has no pending requests. */
  get isIdle(): boolean {
    return this.states.size === 0 && [...this.asked.values()].every(({ isCancelled }) => isCancelled);
  }

  send(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  /** Sends a request of the development server. Throws `RequestError` if it is rejected, and another error if there is no response. */
  async ask(method: string, params?: JsonObject): Promise<JsonObject> {
    if (this.#hasEnded) throw new Error(this.cause);
    this.#number += 1;
    const id = `toolwright-dev-${this.#number}`;
    const answer = await new Promise<JsonObject | Error>((resolve) => {
      const late = new Error(`no response to ${method} within ${RESPONSE_TIMEOUT_MS / 1000} s`);
      const timer = setTimeout(() => resolve(late), RESPONSE_TIMEOUT_MS).unref();
      this.#own.set(keyOf(id), (given) => {
        clearTimeout(timer);
        resolve(given);
      });
      this.send(JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) }));
    });
    this.#own.delete(keyOf(id));
    if (answer instanceof Error) throw answer;
    if (isObject(answer["result"])) return answer["result"];
    const { error } = answer;
    throw new RequestError(isObject(error) ? textIn(error, "message") : "the response has neither result nor error");
  }

  /** Takes the response to a request of the development server. Returns whether it was one. */
  takes(id: Json | undefined, answer: JsonObject): boolean {
    const settle = this.#own.get(keyOf(id));
    settle?.(answer);
    return settle !== undefined;
  }

  /** Closes its input. If it does not exit, it gets SIGTERM and then SIGKILL, with its child processes. */
  end(): void {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#stop.abort(), EXIT_TIMEOUT_MS).unref();
    this.#child.once("close", () => clearTimeout(timer));
  }
}

/** The process rejected a request. */
class RequestError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RequestError";
  }
}
