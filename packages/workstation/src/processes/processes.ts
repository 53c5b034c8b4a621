import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { BackgroundProcess, type ProcessOptions } from "./background-process.js";

/** How many run at once, and how many of one principal. */
const MOST_RUNNING = 32;
const MOST_RUNNING_EACH = 8;
/** How many that have ended can still be read, and for how long. */
const MOST_ENDED = 32;
const KEPT_MS = 60 * 60_000;

/** The programs that tools have started: each belongs to whoever called, and all end with the server. */
export class Processes {
  readonly #state: string;
  readonly #known = new Map<string, BackgroundProcess>();
  #folder: Promise<string> | undefined;
  #isClosed = false;

  /** `state` is the folder in which output is kept. */
  constructor(state: string) {
    this.#state = path.join(state, "processes");
  }

  /** Starts a program. Throws a `ToolError` where too many run, or where it cannot be started. */
  async start(options: ProcessOptions): Promise<BackgroundProcess> {
    const folder = await (this.#folder ??= this.#openFolder());
    await this.#forgetOld();
    if (this.#isClosed) throw new ToolError("Cannot start a program: the server is ending.", { code: "UNAVAILABLE" });
    this.#refuseTooMany(options.principal);
    const process = new BackgroundProcess(`p${randomBytes(6).toString("hex")}`, folder, options);
    this.#known.set(process.id, process);
    // One that never ran has nothing to read.
    process.ended.catch(() => this.#known.delete(process.id));
    return process;
  }

  /** The process of this principal with this id. Throws a `ToolError` where there is none. */
  find(id: string, principal: string | undefined): BackgroundProcess {
    const found = this.#known.get(id);
    if (found !== undefined && found.principal === principal) return found;
    const near = nearest(
      id,
      this.list(principal).map((each) => each.id),
    );
    throw new ToolError(
      `There is no process or log ${JSON.stringify(id.slice(0, 100))}. ${near === undefined ? "" : `Did you mean ${near}? `}` +
        "Output is kept for an hour after the end, and not after the server was restarted. process_read without an id lists what there is.",
      { code: "NOT_FOUND", details: { id: id.slice(0, 100), ...(near !== undefined && { suggestion: near }) } },
    );
  }

  /** The processes of a principal, the latest first. */
  list(principal: string | undefined): readonly BackgroundProcess[] {
    return [...this.#known.values()].filter((each) => each.principal === principal).reverse();
  }

  /** Ends all of them, and removes what they wrote. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#known.values()];
    for (const each of all) each.stop();
    await Promise.allSettled(all.map((each) => each.ended));
    this.#known.clear();
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async #openFolder(): Promise<string> {
    try {
      return await openFolder(this.#state);
    } catch (error) {
      // What was in the way may be gone when the next one is started.
      this.#folder = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ToolError(`Cannot keep the output of programs in ${this.#state}: ${reason}. Nothing was started.`, {
        code: "UNAVAILABLE",
        details: { path: this.#state },
        cause: error,
      });
    }
  }

  #refuseTooMany(principal: string | undefined): void {
    const running = [...this.#known.values()].filter((each) => each.isRunning);
    const own = running.filter((each) => each.principal === principal);
    if (running.length < MOST_RUNNING && own.length < MOST_RUNNING_EACH) return;
    throw new ToolError(
      `Cannot start one more program: ${own.length} of yours run, and ${running.length} in all. End one with process_stop: ${own
        .map(({ id, command }) => `${id} (${command.slice(0, 60)})`)
        .join(", ")}.`,
      { code: "UNAVAILABLE", details: { running: own.map(({ id }) => id) } },
    );
  }

  async #forgetOld(): Promise<void> {
    const ended = [...this.#known.values()].filter((each) => !each.isRunning);
    const isOld = (each: BackgroundProcess): boolean => Date.now() - (each.endedAt ?? 0) > KEPT_MS;
    const old = ended.filter((each, at) => isOld(each) || at < ended.length - MOST_ENDED);
    for (const each of old) this.#known.delete(each.id);
    await Promise.all(old.map((each) => each.spool.remove()));
  }
}

/** Makes the folder of this server, and removes those of servers that are gone. */
async function openFolder(state: string): Promise<string> {
  await mkdir(state, { recursive: true, mode: 0o700 });
  const left = (await readdir(state)).filter((name) => !isAlive(Number.parseInt(name, 10)));
  await Promise.all(left.map((name) => rm(path.join(state, name), { recursive: true, force: true })));
  return mkdtemp(path.join(state, `${process.pid}-`));
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
