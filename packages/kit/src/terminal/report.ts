import { visible, visibleLine } from "./text.js";

/** What a report writes to. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Writes one line for a screen of a width; it is safe, and no wider than that. */
export type Drawing = (room: number) => string;

const CLEAR = "\r\u{1b}[2K";
/** Ends a line that was written over another. */
const CLEAR_REST = "\u{1b}[K";

/** Reports the progress of a call: on a terminal in one line that changes, in a pipe line by line. */
export class Report {
  readonly #screen: TerminalStream;
  readonly #isQuiet: boolean;
  #state = "";
  #drawing: Drawing = () => "";
  #isShown = false;
  /** What waits until a question is answered; undefined = no question is open. */
  #held: (() => void)[] | undefined;

  /** With `isQuiet`, only necessary messages are written. */
  constructor(screen: TerminalStream, isQuiet = false) {
    this.#screen = screen;
    this.#isQuiet = isQuiet;
  }

  /** Shows progress; on a terminal it replaces the previous one. */
  state(text: string): void {
    if (this.#isQuiet) return;
    this.#say(() => {
      if (text === this.#state) return;
      this.#state = text;
      this.#drawing = (room) => cutLine(visibleLine(text), room);
      if (this.#screen.isTTY) this.#show();
      else this.#screen.write(`${visibleLine(text)}\n`);
    });
  }

  /** The same as a picture, for a terminal alone. It is drawn over the one before, so that nothing flickers. */
  draw(drawing: Drawing): void {
    if (this.#isQuiet) return;
    this.#say(() => {
      this.#drawing = drawing;
      this.#state = "";
      this.#screen.write(`\r${drawing(this.#room)}${CLEAR_REST}`);
      this.#isShown = true;
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

  /** Writes a line that stays, unless quiet. */
  aside(text: string): void {
    if (!this.#isQuiet) this.line(text);
  }

  /** Removes the line that changes. */
  clear(): void {
    if (this.#isShown) this.#screen.write(CLEAR);
    this.#isShown = false;
  }

  /** Leaves the screen to something else until that is done. */
  async hold<Value>(operation: () => Promise<Value>): Promise<Value> {
    this.clear();
    const held: (() => void)[] = [];
    this.#held = held;
    try {
      return await operation();
    } finally {
      this.#held = undefined;
      for (const say of held) say();
    }
  }

  #say(say: () => void): void {
    if (this.#held) this.#held.push(say);
    else say();
  }

  get #room(): number {
    const { columns = 0 } = this.#screen;
    // One column less than there are: some terminals begin a new line with the last one. Some say that they have none.
    return (columns > 1 ? columns : 80) - 1;
  }

  #show(): void {
    this.#screen.write(CLEAR + this.#drawing(this.#room));
    this.#isShown = true;
  }
}

function cutLine(text: string, room: number): string {
  const signs = Array.from(text);
  return signs.length > room ? `${signs.slice(0, room - 1).join("")}…` : text;
}
