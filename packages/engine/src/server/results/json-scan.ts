/** The kinds of JSON values. */
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** Hears of the values in a JSON text, each with what lies inside it between its two calls. */
export interface JsonVisitor {
  /** A value begins at this byte; `name` is its key or its place. True = its members are told too. */
  enter(kind: JsonKind, at: number, name: string | number | undefined): boolean;
  /** The value that began last and has not ended yet ends before this byte. True = nothing more is wanted. */
  leave(end: number, members: number): boolean;
}

const DEEPEST = 10_000;
const LONGEST_KEY = 65_536;
const SCALARS: Readonly<Record<string, JsonKind>> = { t: "boolean", f: "boolean", n: "null", "-": "number" };
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Walks through JSON text of any size, piece by piece, and tells of the values that a visitor wants to hear of. It finds its
 * way, it does not judge: of what the visitor does not look into only the brackets and quotes have to be right.
 */
export class JsonScan {
  /** False once the text cannot be JSON. */
  isRight = true;
  /** The visitor wants nothing more. */
  isDone = false;
  readonly #visitor: JsonVisitor;
  /** For each open container: whether it is an object, and how many values have begun in it. */
  readonly #isObject: boolean[] = [];
  readonly #counts: number[] = [];
  /** So many containers, from the outermost on, tell of their members. */
  #followed = 0;
  #state: "value" | "key" | "colon" | "after" | "string" | "escape" | "scalar" = "value";
  #isKey = false;
  #key: string | undefined;
  #keyParts: Buffer[] | undefined;
  #base = 0;

  constructor(visitor: JsonVisitor) {
    this.#visitor = visitor;
  }

  /** Whether the one value that a JSON text is has ended. */
  get isWhole(): boolean {
    return this.isRight && this.#isObject.length === 0 && this.#state === "after";
  }

  /** Reads the next piece. */
  push(bytes: Buffer): void {
    let from = 0;
    for (let at = 0; at < bytes.length && this.isRight && !this.isDone; at += 1) {
      const byte = bytes[at] as number;
      if (this.#state === "string" || this.#state === "escape") {
        if (this.#state === "escape") this.#state = "string";
        else if (byte === BACKSLASH) this.#state = "escape";
        else if (byte === QUOTE) this.#endString(bytes, from, at);
      } else if (byte === QUOTE) {
        from = at;
        this.#beginString(at);
      } else this.#step(byte, at);
    }
    this.#keyParts?.push(bytes.subarray(from));
    this.#base += bytes.length;
  }

  /** The text is over. */
  end(): void {
    if (this.#state === "scalar") this.#leaveValue(0, 0);
  }

  #step(byte: number, at: number): void {
    const isBlank = byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
    if (this.#state === "scalar") {
      if (!isBlank && byte !== 0x2c && byte !== 0x5d && byte !== 0x7d) return;
      this.#leaveValue(at, 0);
    }
    if (isBlank) return;
    const inObject = this.#isObject.at(-1);
    if (byte === 0x7b || byte === 0x5b) this.#open(byte === 0x7b, at);
    else if (byte === 0x7d || byte === 0x5d) this.#close(byte === 0x7d, at);
    else if (byte === 0x2c) this.#expect("after", inObject === true ? "key" : "value", inObject !== undefined);
    else if (byte === 0x3a) this.#expect("colon", "value", true);
    else this.#beginScalar(String.fromCharCode(byte), at);
  }

  #expect(state: "after" | "colon", next: "key" | "value", isHere: boolean): void {
    if (this.#state === state && isHere) this.#state = next;
    else this.isRight = false;
  }

  #open(isObject: boolean, at: number): void {
    if (this.#state !== "value" || this.#isObject.length >= DEEPEST) {
      this.isRight = false;
      return;
    }
    const depth = this.#isObject.length;
    if (this.#enterValue(isObject ? "object" : "array", at)) this.#followed = depth + 1;
    this.#isObject.push(isObject);
    this.#counts.push(0);
    this.#state = isObject ? "key" : "value";
  }

  #close(isObject: boolean, at: number): void {
    const members = this.#counts.at(-1);
    const isHere = this.#state === "after" || (members === 0 && this.#state === (isObject ? "key" : "value"));
    if (this.#isObject.at(-1) !== isObject || !isHere) {
      this.isRight = false;
      return;
    }
    this.#isObject.pop();
    this.#counts.pop();
    this.#leaveValue(at + 1, members ?? 0);
  }

  #beginScalar(first: string, at: number): void {
    const kind = SCALARS[first] ?? (first >= "0" && first <= "9" ? "number" : undefined);
    if (kind === undefined || this.#state !== "value") {
      this.isRight = false;
      return;
    }
    this.#enterValue(kind, at);
    this.#state = "scalar";
  }

  #beginString(at: number): void {
    this.#isKey = this.#state === "key";
    if (this.#isKey) this.#keyParts = this.#followed === this.#isObject.length ? [] : undefined;
    else if (this.#state === "value") this.#enterValue("string", at);
    else this.isRight = false;
    this.#state = "string";
  }

  #endString(bytes: Buffer, from: number, at: number): void {
    if (!this.#isKey) return this.#leaveValue(at + 1, 0);
    this.#state = "colon";
    if (this.#keyParts === undefined) return;
    const source = Buffer.concat([...this.#keyParts, bytes.subarray(this.#keyParts.length === 0 ? from : 0, at + 1)]);
    this.#keyParts = undefined;
    this.#key = readKey(source);
    if (this.#key === undefined) this.isRight = false;
  }

  /** Whether the visitor wants to hear of the members. */
  #enterValue(kind: JsonKind, at: number): boolean {
    const depth = this.#isObject.length;
    const place = this.#counts[depth - 1] ?? 0;
    if (depth > 0) this.#counts[depth - 1] = place + 1;
    if (this.#followed !== depth) return false;
    const name = depth === 0 ? undefined : this.#isObject[depth - 1] === true ? this.#key : place;
    return this.#visitor.enter(kind, this.#base + at, name);
  }

  #leaveValue(end: number, members: number): void {
    const depth = this.#isObject.length;
    this.#state = "after";
    if (this.#followed < depth || this.isDone) return;
    this.#followed = depth;
    this.isDone = this.#visitor.leave(this.#base + end, members);
  }
}

function readKey(source: Buffer): string | undefined {
  if (source.length > LONGEST_KEY) return source.toString("utf8", 1, LONGEST_KEY);
  try {
    return JSON.parse(source.toString()) as string;
  } catch {
    return undefined;
  }
}
