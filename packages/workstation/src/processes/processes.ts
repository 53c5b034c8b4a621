import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { BackgroundProcess, type ProcessOptions } from "./background-process.js";

const MAX_RUNNING = 32;
const MAX_RUNNING_PER_PRINCIPAL = 8;
/** How many ended processes can still be read, and for how long. */
const MAX_ENDED = 32;
const KEPT_MS = 60 * 60_000;

/** The programs that tools have started. Each belongs to its caller, and all end with the server. */
export class Processes {
  readonly #parent: string;
  readonly #known = new Map<string, BackgroundProcess>();
  #folder: Promise<string> | undefined;
  #isClosed = false;

  /** `stateFolder` is where output is stored. */
  constructor(stateFolder: string) {
    this.#parent = path.join(stateFolder, "processes");
  }

  /** Starts a program. Throws a `ToolError` if too many are running. */
  async start(options: ProcessOptions): Promise<BackgroundProcess> {
    const folder = await (this.#folder ??= this.#openFolder());
    await this.#deleteOld();
    if (this.#isClosed)
      throw new ToolError("Cannot start a program: the server is shutting down.", { code: "UNAVAILABLE" });
    this.#rejectTooMany(options.principal);
    const process = new BackgroundProcess(`p${randomBytes(6).toString("hex")}`, folder, options);
    this.#known.set(process.id, process);
    // A process that could not be started has no output.
    process.ended.catch(() => this.#known.delete(process.id));
    return process;
  }

  /** Finds a process of a principal. Throws a `ToolError` if there is none. */
  find(id: string, principal: string | undefined): BackgroundProcess {
    const found = this.#known.get(id);
    if (found !== undefined && found.principal === principal) return found;
    const near = nearest(
      id,
      this.list(principal).map((each) => each.id),
    );
    const shown = id.slice(0, 100);
    const suggestion = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new ToolError(
      `There is no process or log ${JSON.stringify(shown)}.${suggestion} Output is kept for an hour after the end of a program, until the server ends.`,
      {
        code: "NOT_FOUND",
        details: { id: shown, ...(near !== undefined && { suggestion: near }) },
        hint: { action: "list processes and logs", tool: "process_read", arguments: {} },
      },
    );
  }

  /** The processes of a principal, newest first. */
  list(principal: string | undefined): readonly BackgroundProcess[] {
    return [...this.#known.values()].filter((each) => each.principal === principal).reverse();
  }

  /** Stops all processes and removes their output. */
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
      return await openFolder(this.#parent);
    } catch (error) {
      // The next start tries again.
      this.#folder = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      throw new ToolError(`Cannot store the output of programs in ${this.#parent}: ${reason}. Nothing was started.`, {
        code: "UNAVAILABLE",
        details: { path: this.#parent },
        cause: error,
      });
    }
  }

  #rejectTooMany(principal: string | undefined): void {
    const running = [...this.#known.values()].filter((each) => each.isRunning);
    const own = running.filter((each) => each.principal === principal);
    if (running.length < MAX_RUNNING && own.length < MAX_RUNNING_PER_PRINCIPAL) return;
    const list = own.map(({ id, command }) => `${id} (${command.slice(0, 60)})`).join(", ");
    throw new ToolError(
      `Cannot start another program: ${own.length} of yours are running, and ${running.length} in all. Yours: ${list}.`,
      {
        code: "UNAVAILABLE",
        details: { running: own.map(({ id }) => id) },
        hint: { action: "stop one", tool: "process_stop" },
      },
    );
  }

  async #deleteOld(): Promise<void> {
    const ended = [...this.#known.values()].filter((each) => !each.isRunning);
    const isOld = (each: BackgroundProcess): boolean => Date.now() - (each.endedAt ?? 0) > KEPT_MS;
    const old = ended.filter((each, at) => isOld(each) || at < ended.length - MAX_ENDED);
    for (const each of old) this.#known.delete(each.id);
    await Promise.all(old.map((each) => each.spool.remove()));
  }
}

/** Creates the folder of this server, and removes those of ended servers. */
async function openFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const left = (await readdir(parent)).filter((name) => !isAlive(Number.parseInt(name, 10)));
  await Promise.all(left.map((name) => rm(path.join(parent, name), { recursive: true, force: true })));
  return mkdtemp(path.join(parent, `${process.pid}-`));
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
