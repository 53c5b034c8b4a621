import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** The variable that marks a program and all that it starts. */
export const MARK = "TOOLWRIGHT_PROGRAM";

const LOOK_MS = 100;
const GRACE_MS = 2000;
const POLL_MS = 20;
/** A process that starts others while it is ended is looked for again. */
const MAX_ROUNDS = 5;
const AT_ONCE = 16;

/**
 * The processes that a program has started, as far as they have left its group: in a session of their own, or after their parent has
 * ended. They are known by the mark in their environment, by the session of the program, or because they were seen below it. Only Linux
 * tells this; elsewhere there is nothing to find.
 */
export class ProgramTree {
  readonly mark = randomUUID();
  #pid: number | undefined;
  /** When each process was started that was seen, by its id: the system gives an id to another process later. */
  readonly #seen = new Map<number, string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  /** Looks at the program from now on; without an id it could not be started. */
  watch(pid: number | undefined): void {
    if (pid === undefined || process.platform !== "linux") return;
    this.#pid = pid;
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  /** Remembers what is below the program at the moment. */
  look(): Promise<void> {
    if (this.#timer !== undefined) this.#looking = this.#looking.then(() => this.#lookBelow());
    return this.#looking;
  }

  /** Ends all processes that are left: with SIGTERM, and after a grace period with SIGKILL. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#timer === undefined) return;
    await this.#looking;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      let left = await this.#find();
      if (left.length === 0) return;
      signalAll(left, "SIGTERM");
      for (const deadline = performance.now() + GRACE_MS; left.length > 0 && performance.now() < deadline; ) {
        await delay(POLL_MS);
        left = await runningOf(left);
      }
      signalAll(left, "SIGKILL");
    }
  }

  async #lookBelow(): Promise<void> {
    const left = [this.#pid ?? 0, ...this.#seen.keys()];
    const visited = new Set<number>();
    for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
      if (visited.has(pid)) continue;
      visited.add(pid);
      for (const child of await childrenOf(pid)) {
        const facts = await readFacts(child);
        if (facts === undefined) continue;
        this.#seen.set(child, facts.startedAt);
        left.push(child);
      }
    }
  }

  async #find(): Promise<readonly number[]> {
    const pids = (await readdir("/proc").catch(() => [])).map(Number).filter((pid) => pid > 1 && pid !== process.pid);
    const found: number[] = [];
    while (pids.length > 0)
      await Promise.all(pids.splice(-AT_ONCE).map(async (pid) => ((await this.#isOurs(pid)) ? found.push(pid) : 0)));
    return found;
  }

  async #isOurs(pid: number): Promise<boolean> {
    const facts = await readFacts(pid);
    if (facts === undefined || facts.hasEnded) return false;
    if (facts.session === this.#pid || this.#seen.get(pid) === facts.startedAt) return true;
    // Those of other users cannot be read, and are not ours.
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    return environment.split("\0").includes(`${MARK}=${this.mark}`);
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  try {
    const threads = await readdir(`/proc/${pid}/task`);
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "latin1").catch(() => "")),
    );
    return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** What the system tells of a process. */
interface ProcessFacts {
  readonly session: number;
  readonly startedAt: string;
  /** Its parent has not asked how it ended. */
  readonly hasEnded: boolean;
}

async function readFacts(pid: number): Promise<ProcessFacts | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // The name of the program comes second, in parentheses, and may have any characters.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "", , , session = "", ...more] = fields;
  return more.length === 0
    ? undefined
    : { session: Number(session), startedAt: more[15] ?? "", hasEnded: /[ZX]/.test(state) };
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function runningOf(pids: readonly number[]): Promise<readonly number[]> {
  const facts = await Promise.all(pids.map(readFacts));
  return pids.filter((_, at) => facts[at]?.hasEnded === false);
}
