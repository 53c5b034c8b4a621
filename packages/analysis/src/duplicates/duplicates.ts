/** Which copies are wanted. */
export interface DuplicateWish {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** The least that a copy must have; 5 lines and 50 tokens unless told. */
  readonly minLines?: number | undefined;
  readonly minTokens?: number | undefined;
}

/** Where a copy is. */
export interface CopyPlace {
  readonly path: string;
  readonly line: number;
  readonly end_line: number;
}

/** Pieces of code that are the same. */
export interface CopyGroup {
  /** In renamed copies names and literals differ; each name always stands for the same other one. */
  readonly kind: "exact" | "renamed";
  /** In a renamed group: how many copies are the same to the letter, if any are. */
  readonly exact_copies?: number;
  readonly tokens: number;
  /** Of the first copy. */
  readonly lines: number;
  readonly copies: readonly CopyPlace[];
}

/** The copies in a project, the most lines first. */
export interface Duplicates {
  readonly groups: readonly CopyGroup[];
  readonly files: number;
  /** Lines with code on them, without imports. */
  readonly lines: number;
  /** How many of them are in any copy. */
  readonly duplicated_lines: number;
  /** The share of duplicated lines in percent. */
  readonly percent: number;
  /** What was not looked at, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** Set where there was too much to compare: how many tokens were not looked at. */
  readonly unread_tokens?: number;
}
