import type { FileMeasures } from "../metrics/measures.js";

/** All that can be told from the text of one file alone, and is therefore kept by the hash of its content. */
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

/** Another file or package that a file uses. */
export interface Import {
  /**
   * As it is written: `./stack.js`, `os.path`, `crate::io`, `<vector>`. `*` = what can be named without an import in Java, Kotlin, C#,
   * PHP and Swift; `names` are then all types that the file names.
   */
  readonly from: string;
  readonly line: number;
  /** Where a language tells it by its syntax: whether only types are taken. */
  readonly isTypeOnly?: boolean;
  /** What is taken from it, where the file cannot be found without: of `from x import y` in Python, of a package in Go. */
  readonly names?: readonly string[];
}

/** Something that a file declares. */
export interface Declaration {
  readonly kind: "function" | "class" | "interface" | "type" | "constant" | "module";
  /** With the names of what it lies in. */
  readonly name: string;
  /** What a reader needs to use it, on one line, without the body. */
  readonly signature: string;
  readonly line: number;
  readonly end_line: number;
  readonly isExported: boolean;
}

/** A call inside a file, by the last name of what is called. */
export interface CallSite {
  readonly called: string;
  readonly line: number;
  /** The whole name of the function around it; undefined = none. */
  readonly caller?: string;
  /** What it is called on, where something stands before the name: the object that the caller belongs to, or another. */
  readonly receiver?: "self" | "other";
}

/** A comment that says that something is left to do. */
export interface Note {
  /** The word that gives it away, in capitals. */
  readonly word: string;
  /** What it says after the word, on one line. */
  readonly text: string;
  readonly line: number;
  /** Who is named in brackets after the word: `bob` of `TODO(bob)`. */
  readonly owner?: string;
}

/** The tokens of a file for finding duplicates, without comments and import lists; packed by `packTokens`, because they are many. */
export interface TokenRun {
  readonly count: number;
  /** What each token is. */
  readonly codes: string;
  /** The line in which each starts. */
  readonly lines: string;
}
