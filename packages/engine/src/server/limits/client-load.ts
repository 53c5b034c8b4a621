import type { RequestContext } from "../request-context.js";

/** Identifies a client: its principal, or its session if it is not authenticated. */
export const clientKeyOf = ({ connection }: RequestContext): unknown => connection.principal ?? connection.session;

/** Counts the running calls of each client. */
export class ClientLoad {
  readonly #byPrincipal = new Map<string, number>();

  add({ connection: { principal, session } }: RequestContext): void {
    if (principal === undefined) session.runningCalls += 1;
    else this.#byPrincipal.set(principal, (this.#byPrincipal.get(principal) ?? 0) + 1);
  }

  remove({ connection: { principal, session } }: RequestContext): void {
    if (principal === undefined) {
      session.runningCalls -= 1;
      return;
    }
    const count = (this.#byPrincipal.get(principal) ?? 0) - 1;
    if (count > 0) this.#byPrincipal.set(principal, count);
    else this.#byPrincipal.delete(principal);
  }

  /** Whether no call of this call's client runs. */
  isIdle({ connection: { principal, session } }: RequestContext): boolean {
    return principal === undefined ? session.runningCalls === 0 : !this.#byPrincipal.has(principal);
  }
}
