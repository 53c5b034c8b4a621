import type { FileMeasures } from "../metrics/measures.js";

/** What can be read from the content of one file alone. It is cached by the hash of the content. */
export interface Facts {
  readonly measures: FileMeasures;
  readonly imports: readonly Import[];
  readonly outline: readonly Declaration[];
  readonly calls: readonly CallSite[];
  readonly notes: readonly Note[];
  readonly tokens: TokenRun;
}

/** The name of a fact. */
export type Fact = keyof Facts;

/** An import of another file or package. */
export interface Import {
  /**
   * As it is written: `./stack.js`, `os.path`, `crate::io`, `<vector>`. `*` = types that need no import in Java, Kotlin, C#, PHP and
   * Swift; `names` then has all types that the file mentions.
   */
  readonly from: string;
  readonly line: number;
  /** Whether the syntax shows that only types are imported. */
  readonly isTypeOnly?: boolean;
  /** The imported names, if they are needed to find the file: of `from x import y` in Python, of a package in Go. */
  readonly names?: readonly string[];
}

/** A declaration in a file. */
export interface Declaration {
  readonly kind: "function" | "class" | "interface" | "type" | "constant" | "module";
  /** Qualified with the names of its containers. */
  readonly name: string;
  /** The declaration on one line, without its body. */
  readonly signature: string;
  readonly line: number;
  readonly end_line: number;
  readonly isExported: boolean;
}

/** A call in a file. */
export interface CallSite {
  /** The last name of what is called. */
  readonly called: string;
  readonly line: number;
  /** The qualified name of the function around it; undefined = none. */
  readonly caller?: string;
  /** Whether the receiver, if there is one, is the object of the caller or another one. */
  readonly receiver?: "self" | "other";
}

/** A to-do comment. */
export interface Note {
  /** The word or phrase by which it was found, in capitals. */
  readonly word: string;
  /** The text after the word, on one line. */
  readonly text: string;
  readonly line: number;
  /** The name in brackets after the word: `bob` in `TODO(bob)`. */
  readonly owner?: string;
}

/** The tokens of a file without comments and imports, for finding duplicates; packed by `packTokens` to save space. */
export interface TokenRun {
  readonly count: number;
  /** The code of each token. */
  readonly codes: string;
  /** The line of each token. */
  readonly lines: string;
}
