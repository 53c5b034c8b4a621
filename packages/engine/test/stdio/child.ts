import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A JSON object as it came over the wire. */
export type Message = Record<string, unknown>;

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server in its own process, with the client ends of its pipes. */
export class Child {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<Ending>;
  /** Every line on stdout, verbatim. */
  readonly lines: string[] = [];
  stderr = "";
  readonly #messages: Message[] = [];
  #rest: string[] = [];
  #arrived: (() => void)[] = [];

  /** Runs a command; it is killed when the test is over, however it ends. */
  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = process.cwd()) {
    this.process = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env }, cwd });
    this.ended = new Promise((resolve) => {
      this.process.on("close", (code, signal) => {
        this.#wake();
        resolve({ code, signal });
      });
    });
    onTestFinished(() => void this.process.kill("SIGKILL"));
    this.process.stdin.on("error", () => undefined);
    this.process.stdout.setEncoding("utf8").on("data", (text: string) => {
      const [first = "", ...more] = text.split("\n");
      this.#rest.push(first);
      for (const part of more) {
        this.lines.push(this.#rest.join(""));
        this.#rest = [part];
      }
      this.#wake();
    });
    this.process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#wake();
    });
  }

  /** What follows the last newline on stdout; empty if every line is complete. */
  get unfinished(): string {
    return this.#rest.join("");
  }

  /** Every message so far. */
  get messages(): Message[] {
    for (const line of this.lines.slice(this.#messages.length)) this.#messages.push(JSON.parse(line) as Message);
    return this.#messages;
  }

  /** Writes text or bytes as they are. */
  write(raw: string | Buffer): void {
    this.process.stdin.write(raw);
  }

  send(...messages: readonly unknown[]): void {
    this.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  /** The response with this id, now or when it arrives. */
  async answer(id: unknown): Promise<Message> {
    const find = () => this.messages.findLast((message) => message["id"] === id && !("method" in message));
    await this.until(() => find() !== undefined, `an answer to ${String(id)}`);
    return find() as Message;
  }

  /** Waits until a condition is true, and checks it whenever output arrives. */
  async until(condition: () => boolean, what: string): Promise<void> {
    while (!condition()) {
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        await this.ended;
        if (condition()) return;
        throw new Error(`The server ended without ${what}. It said on stderr: ${this.stderr}`);
      }
      await new Promise<void>((resolve) => void this.#arrived.push(resolve));
    }
  }

  #wake(): void {
    for (const wake of this.#arrived.splice(0)) wake();
  }
}

const servers = fileURLToPath(new URL("./servers/", import.meta.url));

/** Starts one of the servers in this folder. */
export function start(name: string, env: NodeJS.ProcessEnv = {}): Child {
  return new Child(process.execPath, [`${servers}${name}.mjs`], env);
}

/** Starts the workshop and does the handshake. */
export async function startWorkshop(env: NodeJS.ProcessEnv = {}): Promise<Child> {
  const child = start("workshop", env);
  child.send(initialize(0), { jsonrpc: "2.0", method: "notifications/initialized" });
  await child.answer(0);
  return child;
}

export function initialize(id: unknown, protocolVersion = "2025-11-25"): Message {
  const clientInfo = { name: "test", version: "1.0.0" };
  return { jsonrpc: "2.0", id, method: "initialize", params: { protocolVersion, capabilities: {}, clientInfo } };
}

export function call(id: unknown, name: string, args: Message = {}): Message {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

export function ping(id: unknown): Message {
  return { jsonrpc: "2.0", id, method: "ping" };
}

/** The text of a tool result. */
export function textOf(answer: Message): string {
  const { content } = answer["result"] as { content: readonly { text: string }[] };
  return content.map(({ text }) => text).join("\n");
}
