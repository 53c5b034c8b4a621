import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withTimeout } from "../soak/with-timeout.js";

/** How long the program may take to start on a busy machine. */
const START_MS = 60_000;
/** Less than what clients could make it keep without limits. */
const HEAP_MIB = 512;

/** Where the program keeps its data, and how its clients are known. */
export interface RealServerOptions {
  /** The built command, `dist/main.js`. */
  readonly program: string;
  /** The folder of all that the server writes; it may be a small disk. */
  readonly folder: string;
  /** A folder for its configuration, elsewhere. */
  readonly configFolder: string;
  /** The names of clients that have an API key; none: clients are not authenticated. */
  readonly keyNames: readonly string[];
  /** Further arguments of Node, and variables of its environment. */
  readonly nodeArgs?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** The API key of a client. */
export const keyOf = (name: string): string => `tw_${createHash("sha256").update(name).digest("base64url")}`;

/** The real program in a child process, which can be killed and started again with the same data and address. */
export class RealServer {
  /** How often it was told to stop or killed, so that clients know whether it ran during a whole call. */
  stops = 0;
  /** Whether it was started, and not told to stop since. */
  isUp = false;
  readonly root: string;
  readonly state: string;
  readonly #options: RealServerOptions;
  readonly #config: string;
  #child: ChildProcess | undefined;
  #ended: Promise<number | string> = Promise.resolve(0);
  #port = 0;
  #stderr = "";

  constructor(options: RealServerOptions) {
    this.#options = options;
    this.root = path.join(options.folder, "root");
    this.state = path.join(options.folder, "state");
    this.#config = path.join(options.configFolder, "config.json");
    mkdirSync(this.root, { recursive: true });
    const keys = options.keyNames.map((name) => `${name} ${createHash("sha256").update(keyOf(name)).digest("hex")}`);
    const keyFile = path.join(options.configFolder, "keys.txt");
    writeFileSync(keyFile, keys.join("\n"));
    const commands = [["sleep", "*"]];
    const config = {
      packs: { workstation: { commands } },
      ...(keys.length > 0 && { auth: { apiKeyFile: keyFile } }),
    };
    writeFileSync(this.#config, JSON.stringify(config));
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The last of what it has written to stderr. */
  get stderrTail(): string {
    return this.#stderr.slice(-3000);
  }

  /** Starts it, and resolves when it listens. */
  async start(): Promise<void> {
    const { program, nodeArgs = [], env = {} } = this.#options;
    const address = `127.0.0.1:${this.#port}`;
    const args = [
      "--http",
      address,
      "--state",
      this.state,
      "--root",
      this.root,
      "--config",
      this.#config,
      "--all-tools",
      "--stdio",
    ];
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP_MIB}`, ...nodeArgs, program, "serve", ...args],
      {
        env: { ...process.env, ...env },
        cwd: this.root,
        stdio: ["pipe", "ignore", "pipe"],
      },
    );
    this.#child = child;
    this.#stderr = "";
    this.#ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal ?? 0)));
    const listening = new Promise<number>((resolve) =>
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        this.#stderr = `${this.#stderr}${text}`.slice(-10_000);
        const port = /http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(this.#stderr)?.[1];
        if (port !== undefined) resolve(Number(port));
      }),
    );
    const started = await withTimeout(Promise.race([listening, this.#ended]), START_MS);
    if (typeof started === "string" || !this.isRunning)
      throw new Error(`the server did not start (${started}): ${this.stderrTail}`);
    this.#port = started;
    this.isUp = true;
  }

  /** Ends its stdin, as a client does that started it, and resolves with its exit code or signal. */
  async endInput(): Promise<number | string> {
    this.stops += 1;
    this.isUp = false;
    this.#child?.stdin?.end();
    return withTimeout(this.#ended, START_MS);
  }

  /** Stops the process in the middle of whatever it does, until it is killed. */
  freeze(): void {
    this.stops += 1;
    this.isUp = false;
    this.#child?.kill("SIGSTOP");
  }

  /** Ends it by a signal, and resolves with its exit code or signal. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | string> {
    this.stops += 1;
    this.isUp = false;
    this.#child?.kill(signal);
    const code = await withTimeout(this.#ended, START_MS);
    if (code === "timeout") this.#child?.kill("SIGKILL");
    return code;
  }
}
