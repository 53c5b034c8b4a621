import type { Change } from "../protocol/change.js";

/** Hears of changes. */
export type Listener = (change: Change) => void;

/** The one feed of changes. What is published within one turn of the event loop is told once. */
export class Changes {
  readonly #listeners = new Set<Listener>();
  readonly #pending = new Set<Change["of"]>();

  publish(change: Change): void {
    if (this.#pending.size === 0) setImmediate(() => this.#tell());
    this.#pending.add(change.of);
  }

  /** Listens until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    const changed = [...this.#pending];
    this.#pending.clear();
    for (const of of changed) for (const listener of this.#listeners) listener({ of });
  }
}
