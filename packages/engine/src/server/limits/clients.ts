import type { Connection } from "../connection.js";
import { type CallLimits, Quota } from "./quota.js";

/** What one client uses of the places for calls. */
export class Client {
  /** The address that clients without authentication share; undefined for all others. */
  parent: Client | undefined;
  /** How many of its calls run. */
  running = 0;
  /** How many of its calls wait. */
  waiting = 0;
  /** The limits of its principal; undefined if there are none. */
  readonly quota: Quota | undefined;
  /** Whether it is one request of the stateless revision, of which an address can send any number. */
  readonly isSingleRequest: boolean;

  constructor(quota?: Quota, isSingleRequest = false) {
    this.quota = quota;
    this.isSingleRequest = isSingleRequest;
  }

  /** The principal or the address; without both, the client itself. */
  get owner(): Client {
    return this.parent ?? this;
  }

  get isIdle(): boolean {
    return this.running === 0 && this.waiting === 0;
  }

  /** Whether it is no different from a new one. */
  get isUnused(): boolean {
    return this.isIdle && this.quota?.bucket?.isFull !== false;
  }

  /** Counts a call that starts (1) or ends (-1). */
  countRunning(change: 1 | -1): void {
    this.running += change;
    if (this.parent !== undefined) this.parent.running += change;
  }

  /** Counts a call that begins to wait (1) or no longer waits (-1). */
  countWaiting(change: 1 | -1): void {
    this.waiting += change;
    if (this.parent !== undefined) this.parent.waiting += change;
  }
}

/** How many clients are remembered before idle ones are forgotten. */
const MAX_IDLE_CLIENTS = 10_000;

/**
 * The clients of a server. With authentication a client is a principal, whatever its sessions. Without it, a client is a session, or a
 * request of the stateless revision, those of one network address share what their address may use, and all share one quota.
 */
export class Clients {
  readonly #principals = new Map<string, Client>();
  readonly #addresses = new Map<string, Client>();
  readonly #perPrincipal: CallLimits | undefined;
  readonly #anonymousQuota: Quota | undefined;
  #sweepAt = MAX_IDLE_CLIENTS;

  /** `perPrincipal` are the limits of the calls of one principal. */
  constructor(perPrincipal?: CallLimits) {
    this.#perPrincipal = perPrincipal;
    this.#anonymousQuota = perPrincipal && new Quota(perPrincipal);
  }

  /** How many principals and addresses are remembered. */
  get size(): number {
    return this.#principals.size + this.#addresses.size;
  }

  of({ principal, address, session }: Pick<Connection, "principal" | "address" | "session">): Client {
    if (principal !== undefined) return this.#find(this.#principals, principal, this.#perPrincipal);
    const client = (session.client ??= new Client(this.#anonymousQuota, session.options.isSingleRequest));
    // Only idle clients are forgotten, so the parent of one that is not idle never changes.
    if (address !== undefined) client.parent = this.#find(this.#addresses, address);
    return client;
  }

  #find(clients: Map<string, Client>, key: string, limits?: CallLimits): Client {
    let client = clients.get(key);
    if (client !== undefined) return client;
    if (this.size >= this.#sweepAt) this.#forgetIdle();
    client = new Client(limits && new Quota(limits));
    clients.set(key, client);
    return client;
  }

  /** Forgets clients that are no different from new ones; if that is not enough, the oldest idle principals. */
  #forgetIdle(): void {
    for (const clients of [this.#principals, this.#addresses])
      for (const [key, client] of clients) if (client.isUnused) clients.delete(key);
    for (const [key, client] of this.#principals) {
      if (this.size < MAX_IDLE_CLIENTS) break;
      if (client.isIdle) this.#principals.delete(key);
    }
    this.#sweepAt = Math.max(MAX_IDLE_CLIENTS, 2 * this.size);
  }
}
