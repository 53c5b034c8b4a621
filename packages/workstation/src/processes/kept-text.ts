/** Text that grows, of which the first and the last part are kept. */
export class KeptText {
  readonly #headSize: number;
  readonly #tailSize: number;
  #head = "";
  #tail = "";
  /** How many characters lie between the two parts and are lost. */
  lost = 0;

  /** `most` is how many characters are kept: a third of them of the start. */
  constructor(most: number) {
    this.#headSize = Math.floor(most / 3);
    this.#tailSize = most - this.#headSize;
  }

  add(text: string): void {
    const room = this.#headSize - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    this.#tail += room > 0 ? text.slice(room) : text;
    // Cut seldom, so that not every piece costs a copy.
    if (this.#tail.length > this.#tailSize * 2) this.#cut();
  }

  #cut(): void {
    const over = Math.max(0, this.#tail.length - this.#tailSize);
    this.lost += over;
    this.#tail = this.#tail.slice(over);
  }

  /** All that is kept; where something is lost a line says how much. */
  take(): string {
    this.#cut();
    return this.lost === 0 ? this.#head + this.#tail : `${this.#head}\n[… ${this.lost} characters …]\n${this.#tail}`;
  }
}
