import { fitToBudget, sizeInJson } from "@toolwright/kit/files";
import type { FunctionBrief, HotspotFile, Hotspots } from "./hotspots.js";

/** How many bytes a result may have with all that is said in it, and how those of the lists are shared out. */
const ROOM = 39_000;
const FILES_PART = 0.4;
const MOST_AUTHORS = 5;

/** How much smaller the lists are made at each turn. */
const LESS = 0.85;

/** What the tool gives. */
export type CutHotspots = ReturnType<typeof cutTo>;

/**
 * As much of the hotspots as a result has room for, the worst first; says what to ask where something is left out. The same is
 * said once more as text, by `show`, so both have to fit.
 */
export function cutHotspots(found: Hotspots, top: number, show: (cut: CutHotspots) => string) {
  for (let room = ROOM; ; room *= LESS) {
    const value = cutTo(found, top, room);
    const text = show(value);
    if (sizeInJson(value) + sizeInJson(text) <= ROOM || value.files.length + value.briefs.length <= 2)
      return { value, text };
  }
}

function cutTo(found: Hotspots, top: number, room: number) {
  const { basis, period_days, is_shallow, remarks, skipped } = found;
  const wanted = found.files.slice(0, top);
  const files: HotspotFile[] = fitToBudget(
    wanted.map((file) => ({ ...file, authors: file.authors.slice(0, MOST_AUTHORS) })),
    room * FILES_PART,
  );
  const briefs: FunctionBrief[] = fitToBudget([...found.briefs], room * (1 - FILES_PART));
  const left = [
    ...(files.length < wanted.length ? [`files ${files.length + 1} to ${wanted.length}: narrow include`] : []),
    ...(briefs.length < found.briefs.length ? [`${found.briefs.length - briefs.length} briefs: narrow include`] : []),
  ];
  return {
    basis,
    period_days,
    total: found.files.length,
    files,
    briefs,
    ...(left.length > 0 && { left_out: `There was no room for ${left.join("; ")}.` }),
    is_shallow,
    remarks: [...remarks],
    skipped: skipped.length,
  };
}
