import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hasSchedulerAccount, readCpuMicros, readResidentMiB } from "./cpu.mjs";

const probeFile = fileURLToPath(new URL("probe.cjs", import.meta.url));
const running = new Set();

/** Ends every server that still runs, by its own process id: called at the end, on Ctrl-C and when the bench fails. */
export function killAll() {
  for (const child of running) child.kill("SIGKILL");
}

/** One server of the bench in a process of its own, with its ends of the pipes and its accounts of CPU and memory. */
export class ServerProcess {
  #child;
  #complaints = "";
  #reports = [];

  /**
   * @param {string[]} args what to give to node
   * @param {{ probe?: "cpu" | "heap" | "buffers" }} [options]
   */
  constructor(args, { probe = hasSchedulerAccount ? undefined : "cpu" } = {}) {
    const flags = probe === undefined ? [] : ["--expose-gc", "--require", probeFile];
    this.#child = spawn(process.execPath, [...flags, ...args], {
      stdio: ["pipe", "pipe", "pipe", probe === undefined ? "ignore" : "pipe"],
      env: { ...process.env, NODE_OPTIONS: "", BENCH_PROBE: probe ?? "" },
    });
    running.add(this.#child);
    this.#child.on("exit", () => running.delete(this.#child));
    // A server that died is reported by the request it leaves unanswered; the write to it must not end the bench.
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk) => {
      this.#complaints = (this.#complaints + chunk).slice(-2000);
    });
    this.#child.stdio[3]?.on("data", (chunk) => {
      for (const line of chunk.toString().trim().split("\n")) this.#reports.shift()?.(JSON.parse(line));
    });
  }

  get stdin() {
    return this.#child.stdin;
  }

  get stdout() {
    return this.#child.stdout;
  }

  get pid() {
    return this.#child.pid;
  }

  get complaints() {
    return this.#complaints;
  }

  get ended() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** What the probe inside the server says: CPU, or the live heap after a collection. */
  report() {
    return new Promise((resolve) => {
      this.#reports.push(resolve);
      this.#child.kill("SIGUSR2");
    });
  }

  /** CPU time so far in µs, from the scheduler, or from the process itself where there is no such account. */
  async cpuMicros() {
    return hasSchedulerAccount ? readCpuMicros(this.#child.pid) : (await this.report()).cpuMicros;
  }

  /** Resident memory in MiB; the peak is known only where the kernel tells it. */
  async residentMiB() {
    if (hasSchedulerAccount) return readResidentMiB(this.#child.pid);
    return { now: (await this.report()).rss / 2 ** 20, peak: Number.NaN };
  }

  /** Ends the server at once and waits until it is gone, so that it cannot disturb what is measured next. */
  async kill() {
    if (this.ended) return;
    const gone = new Promise((resolve) => {
      this.#child.once("exit", resolve);
    });
    this.#child.kill("SIGKILL");
    await gone;
  }
}
