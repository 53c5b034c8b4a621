/** The deepest nesting that is written: more than any message may have, less than what overflows the stack. */
const DEEPEST = 300;

/** How many values are written at most: what holds itself many times over would never end. */
const MOST = 200_000;

/** How members and texts are blanked. */
export interface Blanks {
  readonly mark: string;
  hides(name: string, value: unknown): boolean;
  /** Blanks what is secret in a text. */
  text(text: string): string;
  /** Blanks listed values in a number. */
  values(text: string): string;
}

/** Writes any value as JSON in which secrets are blanked; what JSON cannot write is told in words. One for each value. */
export class RedactedJson {
  readonly #blanks: Blanks;
  readonly #open = new Set<object>();
  #left = MOST;

  constructor(blanks: Blanks) {
    this.#blanks = blanks;
  }

  /** Gives undefined for what JSON leaves out. */
  write(given: unknown, name: string): string | undefined {
    if (name !== "" && this.#blanks.hides(name, given)) return JSON.stringify(this.#blanks.mark);
    try {
      return this.#writeValue(given, name);
    } catch {
      return `"[${typeof given} that JSON cannot write]"`;
    }
  }

  #writeValue(given: unknown, name: string): string | undefined {
    const value = toPlain(given, name);
    if (typeof value === "string") return JSON.stringify(this.#blanks.text(value));
    if (typeof value === "bigint") return JSON.stringify(this.#blanks.values(String(value)));
    if (typeof value === "object" && value !== null) return this.#writeObject(value);
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined || this.#blanks.values(text) === text) return text;
    return JSON.stringify(this.#blanks.mark);
  }

  #writeObject(value: object): string {
    if (this.#open.has(value)) return '"[circular]"';
    if (this.#open.size >= DEEPEST) return '"[nested too deep]"';
    this.#left -= 1;
    if (this.#left < 0) return '"[too much to write]"';
    this.#open.add(value);
    try {
      return Array.isArray(value) ? this.#writeList(value) : this.#writeMembers(value as Record<string, unknown>);
    } finally {
      this.#open.delete(value);
    }
  }

  #writeList(list: readonly unknown[]): string {
    const texts: string[] = [];
    for (let at = 0; at < list.length && this.#left >= 0; at += 1) {
      this.#left -= 1;
      texts.push(this.write(list[at], "") ?? "null");
    }
    return `[${texts.join(",")}]`;
  }

  #writeMembers(members: Readonly<Record<string, unknown>>): string {
    const texts = new Map<string, string>();
    for (const name of Object.keys(members)) {
      const text = this.#writeMember(members, name);
      if (text === undefined) continue;
      let shown = this.#blanks.text(name);
      // Names may become the same without their secrets, and readers of JSON keep one member of a name.
      while (texts.has(shown)) shown += ` ${texts.size + 1}`;
      texts.set(shown, `${JSON.stringify(shown)}:${text}`);
    }
    return `{${[...texts.values()].join(",")}}`;
  }

  /** A getter may throw, and must not cost the members beside it. */
  #writeMember(members: Readonly<Record<string, unknown>>, name: string): string | undefined {
    let value: unknown;
    try {
      value = members[name];
    } catch {
      return '"[unreadable]"';
    }
    return this.write(value, name);
  }
}

/** What JSON would make nothing of, in a form of which it does. */
function toPlain(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return value.message;
  if (value instanceof Set) return [...value];
  if (value instanceof Map) {
    const isNamed = [...value.keys()].every((key) => typeof key === "string");
    return isNamed ? Object.fromEntries(value) : [...value];
  }
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === "function" ? (toJSON.call(value, name) as unknown) : value;
}
