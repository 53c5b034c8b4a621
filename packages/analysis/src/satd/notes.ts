import type { SkippedFile } from "../project/project.js";

/** What a note can be about. */
export const KINDS = ["design", "defect", "requirement", "test", "performance", "security"] as const;

/** What a note is about. */
export type Kind = (typeof KINDS)[number];

/** All severities, lowest first. */
export const SEVERITIES = ["low", "medium", "high", "critical"] as const;

/** The severity of a note. */
export type Severity = (typeof SEVERITIES)[number];

/** Selects notes. */
export interface NotesQuery {
  /** A folder or file, as the caller gave it. */
  readonly path: string;
  /** Only these; all by default. */
  readonly kinds?: readonly Kind[] | undefined;
  /** Only this severity and higher; all by default. */
  readonly severity?: Severity | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** The time from which ages are counted; now by default. */
  readonly now?: Date | undefined;
}

/** A to-do comment. */
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
  /** Who wrote the current line, and when (YYYY-MM-DD). Missing if it is not committed, or if there is no history. */
  readonly author?: string;
  readonly date?: string;
  readonly age_days?: number;
}

/** The to-do comments of a project. */
export interface Notes {
  /** Most severe first, then oldest. */
  readonly notes: readonly FoundNote[];
  /** The number of files that were read. */
  readonly files: number;
  /** Notes on how to read the results, such as why there are no ages. */
  readonly remarks: readonly string[];
  readonly skipped: readonly SkippedFile[];
}
