import type { Analysis } from "../analysis.js";
import type { Note } from "../facts/facts.js";
import { blameLines, type LineRange } from "../hotspots/blame-lines.js";
import { type AnalysisCall, noSourceFiles, type Origin, type ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { type FoundNote, type Kind, type Notes, type NotesQuery, SEVERITIES, type Severity } from "./notes.js";

/** Finds the to-do comments of a project, with kind, severity and age. */
export async function findNotes(analysis: Analysis, call: AnalysisCall, query: NotesQuery): Promise<Notes> {
  const { path, include, exclude, now = analysis.now() } = query;
  const { files, skipped } = await readProject(analysis, call, { path, include, exclude, wanted: ["notes"] });
  const found = notesIn(files, query);
  const { notes, remarks } =
    found.length === 0
      ? { notes: [], remarks: files.length === 0 ? [noSourceFiles(skipped.length)] : [] }
      : await addAges(analysis, call, { path, now }, found);
  return { notes: notes.toSorted(byWeight), files: files.length, remarks, skipped };
}

/** A note with the real path of its file. */
interface PlacedNote {
  readonly realPath: string;
  readonly note: FoundNote;
}

/** The notes of files that are already read, most severe first. */
export function notesIn(
  files: readonly ProjectFile<"notes">[],
  query: Pick<NotesQuery, "kinds" | "severity">,
): readonly PlacedNote[] {
  return files
    .flatMap(({ path, realPath, origin, facts }) =>
      facts.notes.map((note): PlacedNote => {
        const judged = judgeNote(note, path, origin);
        return { realPath, note: { path, ...note, ...judged, ...(origin === "test" && { is_test: true }) } };
      }),
    )
    .filter(({ note }) => isSelected(note, query))
    .toSorted((a, b) => byWeight(a.note, b.note));
}

const isSelected = (
  { kind, severity }: FoundNote,
  { kinds = [], severity: lowest = "low" }: Pick<NotesQuery, "kinds" | "severity">,
): boolean =>
  (kinds.length === 0 || kinds.includes(kind)) && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(lowest);

/** Most severe first, then oldest, then by file. */
const byWeight = (a: FoundNote, b: FoundNote): number =>
  SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
  (b.age_days ?? -1) - (a.age_days ?? -1) ||
  (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line);

/** Words that determine the kind, whatever the text is. */
const KIND_BY_WORD: Readonly<Record<string, Kind>> = {
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

/** The kind by the text, for other words. The first pattern that matches applies. */
const KIND_BY_TEXT: readonly (readonly [Kind, RegExp])[] = [
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

/** The kind by the word, if the text does not tell. */
const REQUIREMENTS = /^(?:TODO|UNDONE|NOCOMMIT|NOT .*IMPLEMENTED.*)$/;
const DEFECTS = /^(?:FIXME|DOES.* WORK YET)$/;

/** The severity by the word; low by default. */
const SEVERITY_BY_WORD: readonly (readonly [Severity, RegExp])[] = [
  ["critical", /^(?:SECURITY|VULNERABILITY)$/],
  ["high", /^(?:FIXME|BUG|BROKEN|DEFECT|UNSAFE|NOCOMMIT|.* A BUG|DOES.* WORK YET)$/],
  [
    "medium",
    /^(?:HACK|XXX|KLUDGE|WORKAROUND|WTF|TEMP|TEMPORARY|HACKY|QUICK AND DIRTY|.*(?:FIX|HACK|SOLUTION|WORKAROUND))$/,
  ],
];

/** Files in which a gap is dangerous. */
const SECURITY_CODE =
  /(?:^|[/._-])(?:o?auth\d?(?:n|z|enti\w*|ori[sz]\w*)?|security|crypto\w*|passwords?|secrets?|credentials?|permissions?|login|signin|acl|sandbox\w*)(?:[/._-]|$)/i;

/** The kind and severity of a note. The severity is higher in security code, and lower in tests. */
export function judgeNote(
  note: Pick<Note, "word" | "text">,
  path: string,
  origin: Origin,
): { kind: Kind; severity: Severity } {
  const kind = kindOf(note);
  const base = SEVERITY_BY_WORD.find(([, pattern]) => pattern.test(note.word))?.[0] ?? "low";
  const isRaised = (kind === "security" && KIND_BY_WORD[note.word] === undefined) || SECURITY_CODE.test(path);
  const step = (isRaised ? 1 : 0) - (origin === "test" ? 1 : 0);
  const rank = Math.min(SEVERITIES.length - 1, Math.max(0, SEVERITIES.indexOf(base) + step));
  return { kind, severity: SEVERITIES[rank] ?? base };
}

function kindOf({ word, text }: Pick<Note, "word" | "text">): Kind {
  const named = KIND_BY_WORD[word] ?? KIND_BY_TEXT.find(([, pattern]) => pattern.test(text))?.[0];
  if (named !== undefined) return named;
  if (REQUIREMENTS.test(word)) return "requirement";
  return DEFECTS.test(word) ? "defect" : "design";
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Notes within this distance share one call of git. */
const NEAR_LINES = 40;

/** Adds authors and ages to notes, the first ones first. */
async function addAges(
  analysis: Analysis,
  call: AnalysisCall,
  { path, now }: { readonly path: string; readonly now: Date },
  found: readonly PlacedNote[],
): Promise<{ readonly notes: readonly FoundNote[]; readonly remarks: readonly string[] }> {
  const ranges = rangesOf(found);
  const wanted = new Set(found.flatMap((each) => ranges.get(each) ?? []));
  const { lines, leftOut, failure, isShallow } = await blameLines(analysis, call, path, [...wanted]);
  if (failure !== undefined)
    return { notes: found.map(({ note }) => note), remarks: [`Ages and authors are missing. ${failure}`] };
  const notes = found.map((placed) => {
    const range = ranges.get(placed);
    const written = range && lines.get(range)?.find(({ line }) => line === placed.note.line);
    return written?.date === undefined ? placed.note : { ...placed.note, ...ageOf(written, now) };
  });
  const remarks = [
    ...(leftOut > 0
      ? ["Some ages are missing: they are read for the most severe notes only. Analyze fewer files."]
      : []),
    ...(isShallow ? ["The clone is shallow: notes older than its first commit look as young as that commit."] : []),
  ];
  return { notes, remarks };
}

function ageOf({ author, date = "" }: { readonly author?: string; readonly date?: string }, now: Date) {
  const age_days = Math.max(0, Math.floor((now.getTime() - Date.parse(date)) / DAY_MS));
  return { date: date.slice(0, 10), age_days, ...(author !== undefined && author !== "" && { author }) };
}

/** The line range for each note; notes near each other share one. */
function rangesOf(found: readonly PlacedNote[]): ReadonlyMap<PlacedNote, LineRange> {
  const sorted = found.toSorted(
    (a, b) => (a.realPath < b.realPath ? -1 : a.realPath > b.realPath ? 1 : 0) || a.note.line - b.note.line,
  );
  const ranges = new Map<PlacedNote, LineRange>();
  let group: PlacedNote[] = [];
  for (const [index, each] of sorted.entries()) {
    group.push(each);
    const next = sorted[index + 1];
    if (next?.realPath === each.realPath && next.note.line - each.note.line <= NEAR_LINES) continue;
    const range = { realPath: each.realPath, line: group[0]?.note.line ?? each.note.line, end_line: each.note.line };
    for (const member of group) ranges.set(member, range);
    group = [];
  }
  return ranges;
}
