import type { Connection } from "../connection.js";

/** What one client uses of the places for calls. */
export class Client {
  /** The address that clients without authentication share; undefined for all others. */
  parent: Client | undefined;
  /** How many of its calls run. */
  running = 0;
  /** How many of its calls wait. */
  waiting = 0;

  /** The principal or the address; without both, the client itself. */
  get owner(): Client {
    return this.parent ?? this;
  }

  get isIdle(): boolean {
    return this.running === 0 && this.waiting === 0;
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
 * request of the stateless revision, and those of one network address share what their address may use.
 */
export class Clients {
  readonly #principals = new Map<string, Client>();
  readonly #addresses = new Map<string, Client>();
  #sweepAt = MAX_IDLE_CLIENTS;

  of({ principal, address, session }: Connection): Client {
    if (principal !== undefined) return this.#find(this.#principals, principal);
    const client = (session.client ??= new Client());
    // Only idle clients are forgotten, so the parent of one that is not idle never changes.
    if (address !== undefined) client.parent = this.#find(this.#addresses, address);
    return client;
  }

  #find(clients: Map<string, Client>, key: string): Client {
    let client = clients.get(key);
    if (client !== undefined) return client;
    if (this.#principals.size + this.#addresses.size >= this.#sweepAt) this.#forgetIdle();
    client = new Client();
    clients.set(key, client);
    return client;
  }

  #forgetIdle(): void {
    for (const clients of [this.#principals, this.#addresses])
      for (const [key, client] of clients) if (client.isIdle) clients.delete(key);
    this.#sweepAt = Math.max(MAX_IDLE_CLIENTS, 2 * (this.#principals.size + this.#addresses.size));
  }
}
