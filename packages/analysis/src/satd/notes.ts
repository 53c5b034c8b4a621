import type { SkippedFile } from "../project/project.js";

/** All that a note can be about. */
export const KINDS = ["design", "defect", "requirement", "test", "performance", "security"] as const;

/** What a note is about. */
export type Kind = (typeof KINDS)[number];

/** All that a note can matter, the least first. */
export const SEVERITIES = ["low", "medium", "high", "critical"] as const;

/** How much a note matters. */
export type Severity = (typeof SEVERITIES)[number];

/** Which notes are wanted. */
export interface NotesWish {
  /** A folder or one file, as the caller gave it. */
  readonly path: string;
  /** Only these; undefined = all. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Only this one and worse; undefined = all. */
  readonly severity?: Severity | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** The moment from which ages are counted; now by default. */
  readonly now?: Date | undefined;
}

/** A comment that says that something is left to do, and what is known of it. */
export interface FoundNote {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly line: number;
  readonly word: string;
  readonly text: string;
  readonly kind: Kind;
  readonly severity: Severity;
  readonly is_test?: boolean;
  /** Who is named in it. */
  readonly owner?: string;
  /** Who wrote the line as it is today, and when: YYYY-MM-DD. Missing where it is not committed, or where there is no history. */
  readonly author?: string;
  readonly date?: string;
  readonly age_days?: number;
}

/** The notes of a project. */
export interface Notes {
  /** The most severe first, then the oldest. */
  readonly notes: readonly FoundNote[];
  /** How many files were read. */
  readonly files: number;
  /** What a reader must know to read them right, such as why there are no ages. */
  readonly remarks: readonly string[];
  readonly skipped: readonly SkippedFile[];
}
