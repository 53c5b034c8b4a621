import type { Connection } from "../connection.js";
import { reserveOf } from "./quota.js";

/** Whom an amount counts against: a client, and a part of it if it has several, such as one session of an address. */
export interface BudgetHolder {
  readonly client: unknown;
  readonly part?: unknown;
}

/** How much each client holds of something that clients share. */
export class Holdings {
  readonly #held = new Map<unknown, number>();
  #total = 0;

  /** What all clients hold together. */
  get total(): number {
    return this.#total;
  }

  heldBy(client: unknown): number {
    return this.#held.get(client) ?? 0;
  }

  /** Counts what a client takes; a negative amount is what it returns. */
  add(client: unknown, amount: number): void {
    const held = this.heldBy(client) + amount;
    if (held > 0) this.#held.set(client, held);
    else this.#held.delete(client);
    this.#total += amount;
  }

  /** Whether a client may take one more. Clients that hold nothing may exceed the limit, by an eighth in all. */
  hasPlaceFor(client: unknown, limit: number): boolean {
    return this.#total < limit || (this.heldBy(client) === 0 && this.#total < limit + reserveOf(limit));
  }
}

/**
 * An amount that clients share: bytes, streams, tasks. A client may hold at most as much as is free, so that it never holds more than
 * half, and one that holds nothing always gets something while fewer clients than units hold it. A part of a client may hold at most
 * as much as its client could still get.
 */
export class SharedBudget {
  readonly #max: () => number;
  readonly #clients = new Holdings();
  readonly #parts = new Holdings();

  /** `max` is read whenever something is added, because limits can change. */
  constructor(max: () => number) {
    this.#max = max;
  }

  /** Adds an amount. Returns false, and adds nothing, if the client or its part would hold too much. */
  tryAdd(holder: BudgetHolder, amount: number): boolean {
    const { client, part } = holder;
    const free = this.#max() - this.#clients.total;
    const held = this.#clients.heldBy(client);
    if (held + amount > free || (part !== undefined && this.#parts.heldBy(part) + amount > free - held)) return false;
    this.#count(holder, amount);
    return true;
  }

  /** Removes an amount that was added. */
  remove(holder: BudgetHolder, amount: number): void {
    this.#count(holder, -amount);
  }

  #count({ client, part }: BudgetHolder, change: number): void {
    this.#clients.add(client, change);
    if (part !== undefined) this.#parts.add(part, change);
  }
}

/** The holder that a connection counts as: its principal; without authentication, its session at its address. */
export function budgetHolder({
  principal,
  address,
  session,
}: Pick<Connection, "principal" | "address"> & { readonly session: unknown }): BudgetHolder {
  if (principal !== undefined) return { client: `principal ${principal}` };
  return address === undefined ? { client: session } : { client: `address ${address}`, part: session };
}
