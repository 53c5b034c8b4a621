import path from "node:path";
import type { Readable } from "node:stream";
import type { Json, JsonObject } from "@toolwright/engine";
import { type Child, spawnChild } from "@toolwright/engine/transport";
import { isObject } from "@toolwright/kit/json";
import { causeOf, ErrorFirst } from "./failure-cause.js";
import { keyOf, type Lists, textIn } from "./messages.js";

/** How the process with the author's code is started. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The built file that lets Node read TypeScript. */
const HOOKS = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/typescript-hooks.js" : "./typescript-hooks.js",
  import.meta.url,
);

/** Starts a file with Node, which is taught TypeScript where the file is that. */
export function launchFile(file: string, args: readonly string[]): Launch {
  const hooks = ["--import", HOOKS.href, "--disable-warning=ExperimentalWarning"];
  const isTypeScript = /\.m?ts$/.test(file);
  return {
    command: process.execPath,
    args: [...(isTypeScript ? hooks : []), path.resolve(file), ...args],
    ...surroundings(),
  };
}

/** Starts any program. */
export const launchCommand = (command: string, args: readonly string[]): Launch => ({
  command,
  args,
  ...surroundings(),
});

const surroundings = (): Pick<Launch, "cwd" | "env"> => ({ cwd: process.cwd(), env: process.env });

/** Tells the lines of a stream without their ends; what stands after the last end is a line too. Only line feeds end lines: JSON may hold the other ends. */
export function hearLines(stream: Readable, hear: (line: string) => void, over: () => void = () => undefined): void {
  let parts: string[] = [];
  stream.setEncoding("utf8").on("data", (text: string) => {
    const [first = "", ...others] = text.split("\n");
    parts.push(first);
    for (const next of others) {
      hear(parts.join("").replace(/\r$/, ""));
      parts = [next];
    }
  });
  stream.on("end", () => {
    const rest = parts.join("");
    if (rest !== "") hear(rest);
    over();
  });
  // A pipe that breaks has no more lines; whoever holds its other end tells why.
  stream.on("error", over);
}

/** How long code may take to answer what the front asks it. */
const PATIENCE_MS = 30_000;
/** How long it may take to end after its input has ended, and again after it was asked to. */
const GRACE_MS = 2000;
const KEPT_WORDS = 100;

/** A request of the client that code has not answered. */
interface Asked {
  readonly request: JsonObject;
  readonly method: string;
  /** Nobody waits for it any more. */
  isCancelled: boolean;
}

/** Who hears what code says. */
export interface CodeEar {
  /** A line of its stdout. */
  said(code: Code, line: string): void;
  /** A line of its stderr. */
  wrote(line: string): void;
  /** It has ended, and says nothing more. */
  ended(code: Code): void;
}

/** A process in which the author's code of one moment runs. */
export class Code {
  /** What the client asked it and it has not answered. */
  readonly asked = new Map<string, Asked>();
  /** The states of conversations that only this code can go on with. */
  readonly states = new Set<string>();
  readonly startedAt = performance.now();
  /** It has answered something: it is no code that cannot start. */
  isProven = false;
  /** What it can do, as it said at the handshake. */
  capabilities: JsonObject | undefined;
  /** What it listed when it was asked last. */
  lists: Lists | undefined;
  readonly #launch: Launch;
  readonly #child: Child;
  readonly #stop = new AbortController();
  readonly #own = new Map<string, (answer: JsonObject | Error) => void>();
  readonly #words: string[] = [];
  #number = 0;
  #how = "";
  #isOver = false;

  constructor(launch: Launch, ear: CodeEar) {
    this.#launch = launch;
    const { command, args, cwd, env } = launch;
    this.#child = spawnChild(this.#stop, command, args, { cwd, env, stdin: "pipe", graceMs: GRACE_MS });
    this.#child.once("error", (error) => {
      this.#how = `it cannot be started: ${error.message}`;
    });
    // A write to a process that has just ended fails; its end says more.
    this.#child.stdin?.on("error", () => undefined);
    hearLines(this.#child.stdout, (line) => ear.said(this, line));
    const words = new ErrorFirst((line) => ear.wrote(line));
    const hear = (line: string): void => {
      this.#words.push(line);
      if (this.#words.length > KEPT_WORDS) this.#words.shift();
      words.hear(line);
    };
    hearLines(this.#child.stderr, hear, () => words.over());
    this.#child.once("close", (code, signal) => {
      this.#isOver = true;
      this.#how ||= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
      for (const settle of this.#own.values()) settle(new Error(this.cause));
      this.#own.clear();
      ear.ended(this);
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Why it has ended, in a line. */
  get cause(): string {
    return causeOf(this.#words, this.#launch.cwd) ?? this.#how;
  }

  /** Nobody waits for anything that it does. */
  get isIdle(): boolean {
    return this.states.size === 0 && [...this.asked.values()].every(({ isCancelled }) => isCancelled);
  }

  say(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  /** Asks it something of our own. Gives the result; throws what it refused with, and why it gave no answer. */
  async ask(method: string, params?: JsonObject): Promise<JsonObject> {
    if (this.#isOver) throw new Error(this.cause);
    this.#number += 1;
    const id = `toolwright-dev-${this.#number}`;
    const answer = await new Promise<JsonObject | Error>((resolve) => {
      const late = new Error(`it has not answered ${method} within ${PATIENCE_MS / 1000} s`);
      const timer = setTimeout(() => resolve(late), PATIENCE_MS).unref();
      this.#own.set(keyOf(id), (given) => {
        clearTimeout(timer);
        resolve(given);
      });
      this.say(JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) }));
    });
    this.#own.delete(keyOf(id));
    if (answer instanceof Error) throw answer;
    if (isObject(answer["result"])) return answer["result"];
    const { error } = answer;
    throw new Refusal(isObject(error) ? textIn(error, "message") : "it answered with neither result nor error");
  }

  /** Whether an answer is to a question of our own; then it has been taken. */
  takes(id: Json | undefined, answer: JsonObject): boolean {
    const settle = this.#own.get(keyOf(id));
    settle?.(answer);
    return settle !== undefined;
  }

  /** Lets it finish: its input ends; if it stays, it is asked to go, with all that it has started, and then made to. */
  end(): void {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#stop.abort(), GRACE_MS).unref();
    this.#child.once("close", () => clearTimeout(timer));
  }
}

/** The code is there, and said no. */
class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Refusal";
  }
}
