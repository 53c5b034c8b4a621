/** What those get who wait for something that was given up. */
export const cancellation = (reason: string): DOMException => new DOMException(reason, "AbortError");

/** What hangs on the end of an exchange: its signal, and deeds to be done when it is over. Made only when something does. */
export class Lifetime {
  readonly #endings = new Set<() => void>();
  #controller: AbortController | undefined;
  #reason: DOMException | undefined;

  /** Made at the first look: most tools never look, and a signal costs more than the rest of a call. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Has something done at the end; the returned function takes it back. */
  whenOver(deed: () => void): () => void {
    this.#endings.add(deed);
    return () => this.#endings.delete(deed);
  }

  end(): void {
    for (const deed of this.#endings) deed();
    this.#endings.clear();
  }

  abort(reason: string): void {
    this.#reason = cancellation(reason);
    this.#controller?.abort(this.#reason);
  }
}
