/** Lets work on the same things be done one after the other, in the order in which it came. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when nobody else works on any of the keys. */
  take<Value>(keys: readonly string[], work: () => Promise<Value>): Promise<Value> {
    const others = keys.flatMap((key) => this.#last.get(key) ?? []);
    const mine = Promise.all(others).then(work);
    const end = mine.catch(() => undefined);
    for (const key of keys) this.#last.set(key, end);
    void end.then(() => {
      for (const key of keys) if (this.#last.get(key) === end) this.#last.delete(key);
    });
    return mine;
  }

  /** Waits until nobody works any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
