import { builtFile } from "@toolwright/kit/files";
import type { OnProgress } from "@toolwright/kit/progress";
import { JobLimitExceeded, JobThread } from "@toolwright/kit/threads";
import { SEVERITIES, type Severity } from "../format/pattern.js";
import type { CodeCheck, Confidence, Fragment, Match, ReviewedPattern } from "./scan-text.js";
import type { ScanJob, ScanJobResult } from "./scan-worker.js";

/** A line without a visible check. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly function?: string;
  /** The check that is missing. */
  readonly missing: string;
  readonly confidence: Confidence;
  /** The function continues outside of the reviewed text, and may contain the check there. */
  readonly context_cut?: true;
}

/** A pattern with its findings. */
export interface PatternFindings extends ReviewedPattern {
  /** The number of all findings; `findings` may contain fewer. */
  readonly count: number;
  readonly findings: readonly Finding[];
}

/** The result of a review. */
export interface Review {
  /** The number of scanned files. */
  readonly files: number;
  readonly findings: number;
  /** Most severe first. */
  readonly patterns: readonly PatternFindings[];
  /** Patterns beyond the limit. */
  readonly left_out: readonly { readonly id: string; readonly severity: Severity; readonly count: number }[];
  readonly notes: readonly string[];
}

/** The options of a review. */
export interface ReviewOptions {
  readonly checks: readonly CodeCheck[];
  readonly limit: number;
  /** The maximum number of findings of one pattern. Default: 5. */
  readonly perPattern?: number;
  /** The language of texts whose name does not tell it. Texts in other languages are skipped. */
  readonly language?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** Checks that took too long, with their patterns. They are not run again. */
  readonly slow?: Map<string, string> | undefined;
}

const CONFIDENCES = ["high", "medium", "low"] as const;
const PER_PATTERN = 5;

/** Scans texts for lines without a visible check. */
export async function review(fragments: readonly Fragment[], options: ReviewOptions): Promise<Review> {
  const { matches, files, notes, late } = await scanAll(fragments, options);
  const findings = matches.filter(({ confidence }) => confidence !== undefined);
  const groups = groupsOf(findings);
  const shown: PatternFindings[] = [];
  let room = options.limit;
  for (const { count, ...group } of groups) {
    const some = group.findings.slice(0, Math.min(room, options.perPattern ?? PER_PATTERN));
    if (some.length === 0) break;
    room -= some.length;
    shown.push({ ...group, count, findings: some });
  }
  const cut = findings.filter(({ isCut }) => isCut).length;
  return {
    files,
    findings: groups.reduce((sum, { count }) => sum + count, 0),
    patterns: shown,
    left_out: groups.slice(shown.length).map(({ id, severity, count }) => ({ id, severity, count })),
    notes: [
      ...notes,
      ...lateNotes(late),
      ...(cut === 0
        ? []
        : [`${cut} of the findings are in functions that the diff shows only in part: the check may be in the rest.`]),
    ],
  };
}

/** The matches in texts, with and without a check. */
export interface ScanResult {
  readonly matches: readonly Match[];
  readonly files: number;
  readonly notes: readonly string[];
  /** The files for which all checks together took too long, with the number of skipped checks. */
  readonly late: ReadonlyMap<string, number>;
}

/** Texts that are scanned in one job of the thread: more would wait for each other, fewer would cost more than they take. */
export const BATCH = { fragments: 20, characters: 500_000 } as const;
/** The limit for each text of a job, several times what parsing it and all checks may take. */
const FRAGMENT_MS = 20_000;
const MEMORY_MB = 512;

/** Scans texts for everyone in this process. It ends when it is idle. */
const thread = new JobThread<ScanJob>(builtFile("threats-worker.js"), { memoryMb: MEMORY_MB });

/** Scans texts in a thread of their own: both texts and expressions can be written to take very long. */
export async function scanAll(
  fragments: readonly Fragment[],
  { checks, language, slow = new Map(), signal, onProgress }: Omit<ReviewOptions, "limit">,
): Promise<ScanResult> {
  const late = new Map<string, number>();
  const scanned: ScanJobResult[] = [];
  const scan = async (batch: readonly Fragment[]): Promise<void> => {
    const job = { fragments: batch, checks: checks.filter(({ risk }) => !slow.has(risk)), language };
    try {
      const result = (await thread.run(job, signal, batch.length * FRAGMENT_MS)) as ScanJobResult;
      for (const [risk, id] of result.slow) slow.set(risk, id);
      for (const [file, count] of result.late) late.set(file, Math.max(count, late.get(file) ?? 0));
      scanned.push(result);
    } catch (error) {
      if (!(error instanceof JobLimitExceeded)) throw error;
      const [only, ...others] = batch;
      if (others.length === 0) late.set(only?.file ?? "", checks.length);
      else for (const fragment of batch) await scan([fragment]);
    }
  };
  let done = 0;
  for (const batch of batchesOf(fragments)) {
    onProgress?.({ stage: "Scanning files", done, total: fragments.length, unit: "files" });
    await scan(batch);
    done += batch.length;
  }
  const unknown = [...new Set(scanned.flatMap((result) => result.unknown))];
  return {
    matches: scanned.flatMap(({ matches }) => matches),
    files: new Set(scanned.flatMap(({ files }) => files)).size,
    late,
    notes: [
      ...[...new Set(slow.values())].map(
        (id) => `A check of ${id} was skipped: its regular expression takes too long.`,
      ),
      ...(unknown.length === 0 ? [] : [`Skipped, because their type is unknown: ${listNames(unknown)}.`]),
    ],
  };
}

/** Divides texts into the batches of jobs. */
function* batchesOf(fragments: readonly Fragment[]): Generator<readonly Fragment[]> {
  let start = 0;
  let characters = 0;
  for (const [at, { text }] of fragments.entries()) {
    characters += text.length;
    if (at + 1 - start < BATCH.fragments && characters < BATCH.characters) continue;
    yield fragments.slice(start, at + 1);
    start = at + 1;
    characters = 0;
  }
  if (start < fragments.length) yield fragments.slice(start);
}

/** Notes about files for which the checks took too long. */
export const lateNotes = (late: ScanResult["late"]): readonly string[] =>
  late.size === 0
    ? []
    : [
        `Not all checks were run, because they take too long: ${listNames([...late].map(([file, checks]) => `${file} (${checks} skipped)`))}.`,
      ];

/** Lists a few names, and how many more there are. */
export const listNames = (names: readonly string[], limit = 5): string =>
  `${names.slice(0, limit).join(", ")}${names.length > limit ? ` and ${names.length - limit} more` : ""}`;

function groupsOf(findings: readonly Match[]): readonly PatternFindings[] {
  const groups = new Map<string, Match[]>();
  for (const one of findings) {
    const group = groups.get(one.check.pattern.id);
    if (group === undefined) groups.set(one.check.pattern.id, [one]);
    else group.push(one);
  }
  return [...groups.values()]
    .map((group) => {
      const sorted = onePerLine(group).sort((a, b) => confidenceRank(a) - confidenceRank(b));
      const { pattern } = (group[0] as Match).check;
      return {
        best: sorted[0] as Match,
        found: { ...pattern, count: sorted.length, findings: sorted.map(toFinding) },
      };
    })
    .sort(
      (a, b) =>
        SEVERITIES.indexOf(a.found.severity) - SEVERITIES.indexOf(b.found.severity) ||
        confidenceRank(a.best) - confidenceRank(b.best) ||
        b.found.count - a.found.count ||
        (a.found.id < b.found.id ? -1 : 1),
    )
    .map(({ found }) => found);
}

/** Two checks of a pattern can match the same line. */
function onePerLine(group: readonly Match[]): Match[] {
  const found = new Map<string, Match>();
  for (const one of group) {
    const place = `${one.file}\n${one.line}`;
    const before = found.get(place);
    if (before === undefined || confidenceRank(one) < confidenceRank(before)) found.set(place, one);
  }
  return [...found.values()];
}

const confidenceRank = ({ confidence = "low" }: Match): number => CONFIDENCES.indexOf(confidence);

const toFinding = ({ check, file, line, text, section, confidence = "low", isCut }: Match): Finding => ({
  file,
  line,
  text,
  ...(section !== undefined && { function: section }),
  missing: check.description,
  confidence,
  ...(isCut && { context_cut: isCut }),
});
