import type { Call } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { blame, type LineRange } from "../hotspots/blame-lines.js";
import { nothingFound, type ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { type FoundNote, judgeNote, type Notes, type NotesWish, SEVERITIES } from "./notes.js";

/** Finds the to-do comments of a project, says what they are about, how much they matter, and how old they are. */
export async function findNotes(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  wish: NotesWish,
): Promise<Notes> {
  const { path, include, exclude, now = new Date() } = wish;
  const { files, skipped } = await readProject(analysis, call, { path, include, exclude, wanted: ["notes"] });
  const found = notesIn(files, wish);
  const empty = files.length === 0 ? [nothingFound(skipped.length)] : [];
  const { notes, remarks } =
    found.length === 0 ? { notes: [], remarks: empty } : await addAges(analysis, call, { path, now }, found);
  return { notes: notes.toSorted(byWeight), files: files.length, remarks, skipped };
}

/** The notes of files that are read already, the most severe first. */
export function notesIn(
  files: readonly ProjectFile<"notes">[],
  wish: Pick<NotesWish, "kinds" | "severity">,
): readonly PlacedNote[] {
  return files
    .flatMap(({ path, place, origin, facts }) =>
      facts.notes.map((note): PlacedNote => {
        const judged = judgeNote(note, path, origin);
        return { place, note: { path, ...note, ...judged, ...(origin === "test" && { is_test: true }) } };
      }),
    )
    .filter(({ note }) => isWanted(note, wish))
    .toSorted((one, other) => byWeight(one.note, other.note));
}

const isWanted = (
  { kind, severity }: FoundNote,
  { kinds = [], severity: least = "low" }: Pick<NotesWish, "kinds" | "severity">,
): boolean => (kinds.length === 0 || kinds.includes(kind)) && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);

/** The most severe first, then the oldest, then in the order of the files. */
const byWeight = (one: FoundNote, other: FoundNote): number =>
  SEVERITIES.indexOf(other.severity) - SEVERITIES.indexOf(one.severity) ||
  (other.age_days ?? -1) - (one.age_days ?? -1) ||
  (one.path < other.path ? -1 : one.path > other.path ? 1 : one.line - other.line);

/** A note, and the real path of its file. */
export interface PlacedNote {
  readonly place: string;
  readonly note: FoundNote;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Notes that stand close together are asked for at once. */
const NEAR_LINES = 40;

/** Adds to notes who wrote them and how old they are, the first ones first; says why where that cannot be known. */
export async function addAges(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  { path, now }: { readonly path: string; readonly now: Date },
  found: readonly PlacedNote[],
): Promise<{ readonly notes: readonly FoundNote[]; readonly remarks: readonly string[] }> {
  const ranges = rangesOf(found);
  const wanted = new Set(found.flatMap((each) => ranges.get(each) ?? []));
  const { lines, left, fault, isShallow } = await blame(analysis, call, path, [...wanted]);
  if (fault !== undefined)
    return { notes: found.map(({ note }) => note), remarks: [`Ages and authors are missing. ${fault}`] };
  const notes = found.map((placed) => {
    const range = ranges.get(placed);
    const written = range && lines.get(range)?.find(({ line }) => line === placed.note.line);
    return written?.date === undefined ? placed.note : { ...placed.note, ...ageOf(written, now) };
  });
  const remarks = [
    ...(left > 0 ? ["Some ages are missing: git was asked for the most severe notes only. Narrow include."] : []),
    ...(isShallow ? ["The clone is shallow: notes older than its first commit look as young as that commit."] : []),
  ];
  return { notes, remarks };
}

function ageOf({ author, date = "" }: { readonly author?: string; readonly date?: string }, now: Date) {
  const age = Math.max(0, Math.floor((now.getTime() - Date.parse(date)) / DAY_MS));
  return { date: date.slice(0, 10), age_days: age, ...(author !== undefined && author !== "" && { author }) };
}

/** For each note, the range of lines in which git is asked for it; notes near each other share one. */
function rangesOf(found: readonly PlacedNote[]): ReadonlyMap<PlacedNote, LineRange> {
  const inOrder = found.toSorted(
    (one, other) => (one.place < other.place ? -1 : one.place > other.place ? 1 : 0) || one.note.line - other.note.line,
  );
  const ranges = new Map<PlacedNote, LineRange>();
  let group: PlacedNote[] = [];
  for (const [index, each] of inOrder.entries()) {
    group.push(each);
    const next = inOrder[index + 1];
    if (next?.place === each.place && next.note.line - each.note.line <= NEAR_LINES) continue;
    const range = { place: each.place, line: group[0]?.note.line ?? each.note.line, end_line: each.note.line };
    for (const member of group) ranges.set(member, range);
    group = [];
  }
  return ranges;
}
