import type { Call } from "@toolwright/engine";
import type { Analysis } from "../analysis.js";
import { nothingFound } from "../project/nothing-found.js";
import type { ProjectFile } from "../project/project.js";
import { readProject } from "../project/read-project.js";
import { judgeNote } from "./judge-note.js";
import { addAges, type PlacedNote } from "./note-ages.js";
import { type FoundNote, type Notes, type NotesWish, SEVERITIES } from "./notes.js";

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
