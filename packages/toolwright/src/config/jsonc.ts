import type { Json } from "@toolwright/engine";

/** A value of a JSON text, and where it stands. */
export interface Located {
  readonly value: Json;
  readonly line: number;
  /** The members of an object, as often as each is there. */
  readonly members?: readonly (Located & { readonly name: string })[];
}

/** A text that is no JSON. */
export class JsonSyntaxError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.name = "JsonSyntaxError";
    this.line = line;
    this.column = column;
  }
}

const SPACE = /(?:[ \t\r\n\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const WORD = /[^\s,:[\]{}"/]+/y;
const DEEPEST = 64;

/** Reads JSON in which comments and commas after the last element are allowed. Throws `JsonSyntaxError`. */
export function readJsonc(text: string): Located {
  const reader = new Reader(text);
  const root = reader.read(0);
  reader.end();
  return root;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(depth: number): Located {
    this.#skip();
    const line = this.#line();
    const next = this.#text[this.#at];
    if (depth > DEEPEST) throw this.#fault("there are too many values within each other");
    if (next === "{") return this.#readObject(line, depth);
    if (next === "[") return this.#readArray(line, depth);
    if (next === '"') return { value: this.#readString(), line };
    return { value: this.#readWord(), line };
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#fault(`nothing may follow the end, and ${this.#shown()} does`);
  }

  #readObject(line: number, depth: number): Located {
    const members: (Located & { readonly name: string })[] = [];
    this.#readAll("}", () => {
      const at = this.#line();
      if (this.#text[this.#at] !== '"') throw this.#fault(`a name in double quotes must be here, not ${this.#shown()}`);
      const name = this.#readString();
      this.#skip();
      if (this.#text[this.#at] !== ":") throw this.#fault(`a colon must be here, not ${this.#shown()}`);
      this.#at += 1;
      members.push({ ...this.read(depth + 1), name, line: at });
    });
    const value = Object.fromEntries(members.map((member) => [member.name, member.value]));
    return { value, line, members };
  }

  #readArray(line: number, depth: number): Located {
    const value: Json[] = [];
    this.#readAll("]", () => value.push(this.read(depth + 1).value));
    return { value, line };
  }

  /** Reads what stands between two brackets, with commas between. */
  #readAll(end: string, readOne: () => void): void {
    this.#at += 1;
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === end) break;
      readOne();
      this.#skip();
      if (this.#text[this.#at] === ",") this.#at += 1;
      else if (this.#text[this.#at] !== end) throw this.#fault(`a comma or ${end} must be here, not ${this.#shown()}`);
    }
    this.#at += 1;
  }

  #readString(): string {
    const literal = this.#match(STRING);
    if (literal === "") throw this.#fault("the text that begins here has no end in this line");
    try {
      return JSON.parse(literal) as string;
    } catch {
      this.#at -= literal.length;
      throw this.#fault("the text that begins here has a sign or an escape that JSON does not have");
    }
  }

  #readWord(): Json {
    const word = this.#match(WORD);
    try {
      return JSON.parse(word) as Json;
    } catch {
      this.#at -= word.length;
      // What is shown might be a secret without its quotes.
      throw this.#fault(
        word === "" ? `a value must be here, not ${this.#shown()}` : "this is no value; texts need double quotes",
      );
    }
  }

  #skip(): void {
    this.#match(SPACE);
    if (this.#text.startsWith("/*", this.#at)) throw this.#fault("the comment that begins here has no end");
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ""] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  /** A sign of the grammar as it is, anything else only as what it is: it might be a secret. */
  #shown(): string {
    const sign = this.#text[this.#at];
    if (sign === undefined) return "the end";
    if (sign === '"') return "a text";
    return /[,:[\]{}/]/.test(sign) ? sign : "something else";
  }

  #line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }

  #fault(message: string): JsonSyntaxError {
    const column = this.#at - this.#text.lastIndexOf("\n", this.#at - 1);
    return new JsonSyntaxError(message, this.#line(), column);
  }
}
