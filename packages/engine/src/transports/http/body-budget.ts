/** The part of all bodies that one client may occupy. */
const CLIENT_DIVISOR = 4;

/** Counts the bytes of request bodies that are being received, in all and by the address of the client. */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #byClient = new Map<string, number>();
  #total = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds bytes of a client. Returns false, and adds nothing, if its share or the total would be exceeded. */
  tryAdd(client: string, bytes: number): boolean {
    const ofClient = (this.#byClient.get(client) ?? 0) + bytes;
    if (this.#total + bytes > this.#maxBytes || ofClient > this.#maxBytes / CLIENT_DIVISOR) return false;
    this.#total += bytes;
    this.#byClient.set(client, ofClient);
    return true;
  }

  /** Removes the bytes of a body that is complete or abandoned. */
  remove(client: string, bytes: number): void {
    const rest = (this.#byClient.get(client) ?? 0) - bytes;
    this.#total -= bytes;
    if (rest > 0) this.#byClient.set(client, rest);
    else this.#byClient.delete(client);
  }
}
