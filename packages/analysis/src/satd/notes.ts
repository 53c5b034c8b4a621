import type { Note } from "../facts/facts.js";
import type { Origin, SkippedFile } from "../project/project.js";

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

/** Words that name their kind, whatever the rest says. */
const BY_WORD: Readonly<Record<string, Kind>> = {
  SECURITY: "security",
  VULNERABILITY: "security",
  UNSAFE: "security",
  OPTIMIZE: "performance",
  OPTIMISE: "performance",
  PERF: "performance",
  PERFORMANCE: "performance",
  SLOW: "performance",
  UNTESTED: "test",
  TESTME: "test",
  BUG: "defect",
  BROKEN: "defect",
  DEFECT: "defect",
  "PROBABLY A BUG": "defect",
  "LIKELY A BUG": "defect",
};

/** What the rest says, of words that may stand for anything; the first that fits counts. */
const BY_TEXT: readonly (readonly [Kind, RegExp])[] = [
  [
    "security",
    /\b(?:secur\w+|insecure|vulnerab\w+|xss|csrf|ssrf|injection|sanitiz\w+|sanitis\w+|credentials?|passwords?|secrets?|authenticat\w+|authoriz\w+|authoris\w+|privileges?|encrypt\w*|exploit\w*)\b/i,
  ],
  [
    "performance",
    /\b(?:performance|slow\w*|optimi[sz]\w+|inefficient\w*|bottleneck\w*|too much memory|memory usage|quadratic|n\+1)\b|\bO\(n/i,
  ],
  ["test", /\b(?:tests?|untested|test coverage|flaky|mock(?:s|ed)?)\b/i],
  [
    "defect",
    /\b(?:bugs?|buggy|broken|breaks|crash\w*|wrong\w*|incorrect\w*|fails?|race condition|deadlocks?|leaks?|overflows?)\b/i,
  ],
];

/** What a word stands for where nothing else tells. */
const REQUIREMENTS = /^(?:TODO|UNDONE|NOCOMMIT|NOT .*IMPLEMENTED.*)$/;
const DEFECTS = /^(?:FIXME|DOES.* WORK YET)$/;

/** What a word alone weighs; all others are low. */
const WEIGHTS: readonly (readonly [Severity, RegExp])[] = [
  ["critical", /^(?:SECURITY|VULNERABILITY)$/],
  ["high", /^(?:FIXME|BUG|BROKEN|DEFECT|UNSAFE|NOCOMMIT|.* A BUG|DOES.* WORK YET)$/],
  [
    "medium",
    /^(?:HACK|XXX|KLUDGE|WORKAROUND|WTF|TEMP|TEMPORARY|HACKY|QUICK AND DIRTY|.*(?:FIX|HACK|SOLUTION|WORKAROUND))$/,
  ],
];

/** Folders and files in which a gap is dangerous. */
const SECURITY_CODE =
  /(?:^|[/._-])(?:o?auth\d?(?:n|z|enti\w*|ori[sz]\w*)?|security|crypto\w*|passwords?|secrets?|credentials?|permissions?|login|signin|acl|sandbox\w*)(?:[/._-]|$)/i;

/** Says what a note is about, and how much it matters: more in code for security, less in tests. */
export function judgeNote(
  note: Pick<Note, "word" | "text">,
  path: string,
  origin: Origin,
): { kind: Kind; severity: Severity } {
  const kind = kindOf(note);
  const weight = WEIGHTS.find(([, pattern]) => pattern.test(note.word))?.[0] ?? "low";
  const isRaised = (kind === "security" && BY_WORD[note.word] === undefined) || SECURITY_CODE.test(path);
  const step = (isRaised ? 1 : 0) - (origin === "test" ? 1 : 0);
  const rank = Math.min(SEVERITIES.length - 1, Math.max(0, SEVERITIES.indexOf(weight) + step));
  return { kind, severity: SEVERITIES[rank] ?? weight };
}

function kindOf({ word, text }: Pick<Note, "word" | "text">): Kind {
  const named = BY_WORD[word] ?? BY_TEXT.find(([, pattern]) => pattern.test(text))?.[0];
  if (named !== undefined) return named;
  if (REQUIREMENTS.test(word)) return "requirement";
  return DEFECTS.test(word) ? "defect" : "design";
}
