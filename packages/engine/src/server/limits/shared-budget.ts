import type { Connection } from "../connection.js";

/** Whom an amount counts against: a client, and a part of it if it has several, such as one session of an address. */
export interface BudgetHolder {
  readonly client: unknown;
  readonly part?: unknown;
}

/**
 * An amount that clients share: bytes, streams, tasks. A client may hold at most as much as is free, so that it never holds more than
 * half, and one that holds nothing always gets something while fewer clients than units hold it. A part of a client may hold at most
 * as much as its client could still get.
 */
export class SharedBudget {
  readonly #max: () => number;
  readonly #held = new Map<unknown, number>();
  #total = 0;

  /** `max` is read whenever something is added, because limits can change. */
  constructor(max: () => number) {
    this.#max = max;
  }

  /** Adds an amount. Returns false, and adds nothing, if the client or its part would hold too much. */
  tryAdd({ client, part }: BudgetHolder, amount: number): boolean {
    const free = this.#max() - this.#total;
    const held = this.#heldBy(client);
    if (held + amount > free || (part !== undefined && this.#heldBy(part) + amount > free - held)) return false;
    this.#count(client, amount);
    if (part !== undefined) this.#count(part, amount);
    this.#total += amount;
    return true;
  }

  /** Removes an amount that was added. */
  remove({ client, part }: BudgetHolder, amount: number): void {
    this.#count(client, -amount);
    if (part !== undefined) this.#count(part, -amount);
    this.#total -= amount;
  }

  #heldBy(key: unknown): number {
    return this.#held.get(key) ?? 0;
  }

  #count(key: unknown, change: number): void {
    const held = this.#heldBy(key) + change;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }
}

/** The holder that a connection counts as: its principal; without authentication, its session at its address. */
export function budgetHolder({
  principal,
  address,
  session,
}: Pick<Connection, "principal" | "address" | "session">): BudgetHolder {
  if (principal !== undefined) return { client: `principal ${principal}` };
  return address === undefined ? { client: session } : { client: `address ${address}`, part: session };
}
