import { interruptedByShutdown } from "../jsonrpc/errors.js";
import { openPack, type Pack, tryClose } from "./definitions/pack.js";
import type { Logger } from "./logging/log.js";
import type { Middleware } from "./middleware.js";
import type { ServerSettings } from "./options.js";
import type { Registry, Source } from "./registry.js";
import type { RequestContext } from "./request-context.js";
import { monotonicNow } from "./runtime.js";
import type { McpServer } from "./server.js";
import type { Session } from "./session.js";

/** Opens the middleware, packs, stored results and tasks of a server when it starts, and closes them when it stops. */
export class Lifecycle {
  readonly #server: McpServer;
  /** In the order in which they were opened; they are closed in reverse. */
  readonly #opened: { readonly label: string; readonly part: { close?(): unknown } }[] = [];
  #isClosed = false;

  constructor(server: McpServer) {
    this.#server = server;
  }

  /** Opens everything. If one part fails, the others are closed again and the error is thrown. */
  async open(middleware: readonly Middleware[], packs: readonly Pack[], registry: Registry): Promise<void> {
    try {
      await this.#openAll(middleware, packs, registry);
    } catch (error) {
      for (const failure of await this.#closeAll())
        this.#server.log({ level: "error", message: failure.message, error: failure });
      throw error;
    }
  }

  async #openAll(middleware: readonly Middleware[], packs: readonly Pack[], registry: Registry): Promise<void> {
    const server = this.#server;
    const { largeResults, limits, tasks } = server.settings;
    const chain: Middleware[] = [];
    for (const current of middleware) {
      if ((await current.open?.(server)) === false) continue;
      this.#add("a middleware", current);
      chain.push(current);
    }
    server.middleware = chain.length === 0 ? undefined : chain;
    const sources: Source[] = [];
    for (const pack of packs) {
      const label = `pack "${pack.name}"`;
      this.#requireOpen(label);
      const definitions = await openPack(pack, server);
      this.#add(label, definitions);
      sources.push({ definitions, pack: pack.name, isPrevalidated: pack.prevalidated === true });
    }
    if (largeResults !== undefined) {
      const { LargeResults } = await import("./features/large-results/large-results.js");
      server.results = new LargeResults(largeResults, limits, [
        server,
        ...sources.map(({ definitions }) => definitions),
      ]);
      this.#add("the stored results", server.results);
      sources.push({ definitions: server.results, isBuiltIn: true, isPrevalidated: true });
    }
    await registry.open(sources);
    if (tasks !== undefined) {
      const { TaskManager } = await import("./features/tasks/task-manager.js");
      server.tasks = new TaskManager(server, tasks);
      this.#add("the task store", server.tasks);
    }
  }

  /** Closes everything and returns the errors; nothing can be opened afterwards. */
  close(): Promise<Error[]> {
    this.#isClosed = true;
    return this.#closeAll();
  }

  #add(label: string, part: { close?(): unknown }): void {
    this.#opened.push({ label, part });
    this.#requireOpen(label);
  }

  /** The server may be closed while its parts open. */
  #requireOpen(label: string): void {
    if (this.#isClosed) throw new Error(`Cannot open ${label}: the server has been closed`);
  }

  /** A part that cannot be closed does not keep the others open. */
  async #closeAll(): Promise<Error[]> {
    const failures: Error[] = [];
    for (const { label, part } of this.#opened.splice(0).reverse()) failures.push(...(await tryClose(label, part)));
    return failures;
  }
}

/** How often a draining server checks whether requests are still active. */
const POLL_MS = 10;

/** Whether a draining server still accepts this method. */
export const isAllowedWhileDraining = (method: string): boolean => method === "ping" || method.startsWith("tasks/");

/** Ends subscriptions and waits for active requests. After `limits.drainMs` the rest is aborted, with an error and a log line. */
export async function drain(sessions: ReadonlySet<Session>, { limits, log }: ServerSettings): Promise<void> {
  // Requests of the current turn are registered at its end.
  await new Promise((resolve) => setImmediate(resolve));
  for (const { active } of sessions) for (const request of active?.all() ?? []) request.conclude();
  const isBusy = (): boolean => [...sessions].some(({ active }) => active !== undefined && active.size > 0);
  if (!isBusy()) return;
  const { drainMs } = limits;
  log({ level: "notice", message: `stopping: active requests have ${drainMs / 1000} s to finish` });
  const until = monotonicNow() + drainMs;
  while (isBusy() && monotonicNow() < until) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  for (const session of sessions) abortActive(session, log);
}

/** Aborts the active requests of a session, with an error for the client and a log line. */
export function abortActive(session: Session, log: Logger): void {
  for (const request of session.active?.all() ?? []) abortRequest(request, log);
  session.sendDelayed();
}

function abortRequest(ctx: RequestContext, log: Logger): void {
  const { id, name, startedAt, request } = ctx;
  const elapsedMs = startedAt === 0 ? 0 : Math.round(monotonicNow() - startedAt);
  const time = startedAt === 0 ? "before it started" : `after ${(elapsedMs / 1000).toFixed(1)} s`;
  const what = name === "" ? request.method : `${request.method} "${name}"`;
  log({ level: "warning", message: `aborted ${what} ${time}: the server is stopping`, requestId: id });
  ctx.abortWith(interruptedByShutdown(time, elapsedMs));
}
