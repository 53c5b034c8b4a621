import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { withTimeout } from "./with-timeout.js";

/** The server in a child process, which reports its heap size on request. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<number | string>;
  readonly #reports: ((heap: number) => void)[] = [];

  /** `root` is the folder of the workspace. */
  constructor(root: URL, args: readonly string[] = []) {
    const file = fileURLToPath(new URL("tests/soak/server.mjs", root));
    this.child = spawn(process.execPath, [file, ...args], { stdio: ["pipe", "pipe", "pipe", "ipc"] });
    this.ended = once(this.child, "exit").then(([code, signal]) => (code ?? signal) as number | string);
    this.child.stdin?.on("error", () => undefined);
    this.child.on("message", (heap) => this.#reports.shift()?.(heap as number));
  }

  /** The URL that a listening server prints first. */
  async address(): Promise<URL> {
    const [chunk] = (await once(this.child.stderr as Readable, "data")) as [Buffer];
    this.child.stderr?.resume();
    this.child.stdout?.resume();
    return new URL(chunk.toString().trim());
  }

  /** Heap in use after a garbage collection, in bytes. */
  heap(): Promise<number> {
    return new Promise((resolve) => {
      void this.ended.then(() => resolve(Number.NaN));
      this.#reports.push(resolve);
      this.child.kill("SIGUSR2");
    });
  }

  /** Open file descriptors, where the platform reports them. */
  descriptors(): number | undefined {
    const folder = `/proc/${this.child.pid}/fd`;
    return existsSync(folder) ? readdirSync(folder).length : undefined;
  }

  /** The exit code or signal. A process that does not exit in time is killed. */
  async end(): Promise<number | string> {
    const code = await withTimeout(this.ended);
    if (code === "timeout") this.child.kill("SIGKILL");
    return code;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }
}
