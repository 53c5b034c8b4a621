import { visible, visibleLine } from "./visible.js";

/** What a report writes to. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const CLEAR = "\r\u{1b}[2K";

/** Tells what happens during a call: on a terminal in one line that changes, in a pipe line by line. */
export class Report {
  readonly #screen: Screen;
  #state = "";
  #isShown = false;
  /** What waits until a question has been answered; undefined = nobody is asked. */
  #held: (() => void)[] | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** How far things have come; on a terminal it takes the place of what was said before. */
  state(text: string): void {
    this.#say(() => {
      if (text === this.#state) return;
      this.#state = text;
      if (this.#screen.isTTY) this.#show();
      else this.#screen.write(`${visibleLine(text)}\n`);
    });
  }

  /** Something that is to stay. */
  line(text: string): void {
    this.#say(() => {
      const wasShown = this.#isShown;
      this.clear();
      this.#screen.write(`${visible(text)}\n`);
      if (wasShown) this.#show();
    });
  }

  /** Takes away the line that changes. */
  clear(): void {
    if (this.#isShown) this.#screen.write(CLEAR);
    this.#isShown = false;
  }

  /** Leaves the screen to something else until that is done. */
  async hold<Value>(deed: () => Promise<Value>): Promise<Value> {
    this.clear();
    const held: (() => void)[] = [];
    this.#held = held;
    try {
      return await deed();
    } finally {
      this.#held = undefined;
      for (const say of held) say();
    }
  }

  #say(say: () => void): void {
    if (this.#held) this.#held.push(say);
    else say();
  }

  #show(): void {
    const { columns = 0 } = this.#screen;
    // One column less than there are: some terminals begin a new line with the last one. Some say that they have none.
    const room = (columns > 1 ? columns : 80) - 1;
    const signs = Array.from(visibleLine(this.#state));
    this.#screen.write(CLEAR + (signs.length > room ? `${signs.slice(0, room - 1).join("")}…` : signs.join("")));
    this.#isShown = true;
  }
}
