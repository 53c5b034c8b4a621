import { type ChildProcess, spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const PROBE = new URL("event-loop-probe.mjs", import.meta.url).href;

/** A JSON object as it came over the wire. */
export type Message = Record<string, unknown>;

/** A built server with every tool, in its own process, which tells how long its event loop was held up. */
export class BusyServer {
  readonly #child: ChildProcess;
  readonly #socket: string;
  #stderr = "";

  constructor(base: string, settings: object) {
    this.#socket = path.join(base, "server.sock");
    const config = Object.entries(settings).flatMap(([key, value]) => ["--set", `${key}=${JSON.stringify(value)}`]);
    const serve = [MAIN, "serve", "--no-config", "--all-tools", "--state", path.join(base, "state")];
    const args = ["--import", PROBE, ...serve, "--socket", this.#socket, ...config];
    this.#child = spawn(process.execPath, args, {
      cwd: path.join(base, "root"),
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
  }

  /** What it has written to stderr. */
  get log(): string {
    return this.#stderr;
  }

  /** How the process ended; undefined while it runs. */
  get ending(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    return exitCode === null && signalCode === null
      ? undefined
      : `${exitCode ?? signalCode}: ${this.#stderr.slice(-2000)}`;
  }

  /** The longest delay of its event loop since the last call, in milliseconds of CPU time. */
  longestDelay(): Promise<number> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error(`The server ended: ${this.ending}`));
      this.#child.once("exit", onExit);
      this.#child.once("message", (delay: number) => {
        this.#child.off("exit", onExit);
        resolve(delay);
      });
      this.#child.send("measure");
    });
  }

  /** A new client, after its handshake. */
  async connect(): Promise<SocketClient> {
    while (!this.#stderr.includes(this.#socket)) {
      if (this.ending !== undefined) throw new Error(`The server ended: ${this.ending}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const client = new SocketClient(this.#socket);
    const clientInfo = { name: "test", version: "1.0.0" };
    await client.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    client.send({ method: "notifications/initialized" });
    return client;
  }

  close(): void {
    this.#child.kill("SIGKILL");
  }
}

/** A client that sends what it is given, without checks of its own. */
export class SocketClient {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (answer: Message) => void>();
  #lastId = 0;

  constructor(file: string) {
    let parts: string[] = [];
    this.#socket = connect(file).setEncoding("utf8");
    this.#socket.on("data", (text: string) => {
      const [first = "", ...more] = text.split("\n");
      parts.push(first);
      for (const part of more) {
        this.#receive(JSON.parse(parts.join("")) as Message);
        parts = [part];
      }
    });
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => {
      for (const resolve of this.#waiting.values()) resolve({ closed: true });
    });
  }

  send(message: Message): void {
    this.#socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Sends a request, and cancels it if there is no answer in time. */
  request(method: string, params: unknown, limitMs = 20_000): Promise<Message> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        this.send({ method: "notifications/cancelled", params: { requestId: id } });
        resolve({ cancelled: true });
      }, limitMs);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.send({ id, method, params });
    });
  }

  /** Every item of a paged list. */
  async list<Item>(method: string, property: string): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: unknown;
    do {
      const { result } = (await this.request(method, cursor === undefined ? {} : { cursor })) as { result: Message };
      items.push(...(result[property] as Item[]));
      cursor = result["nextCursor"];
    } while (cursor !== undefined);
    return items;
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(message: Message): void {
    const resolve = this.#waiting.get(message["id"] as number);
    this.#waiting.delete(message["id"] as number);
    resolve?.(message);
  }
}
