import { fit } from "../../../files/fit.js";
import type { FunctionBrief, HotspotFile, Hotspots } from "./hotspots.js";

/** How many bytes of JSON files and briefs may have: the same is said once more as text. */
const FILES_ROOM = 14_000;
const BRIEFS_ROOM = 20_000;
const MOST_AUTHORS = 5;

/** As much of the hotspots as a result has room for, the worst first; says what to ask where something is left out. */
export function cutHotspots(found: Hotspots, top: number) {
  const { basis, period_days, is_shallow, remarks, skipped } = found;
  const wanted = found.files.slice(0, top);
  const files: HotspotFile[] = fit(
    wanted.map((file) => ({ ...file, authors: file.authors.slice(0, MOST_AUTHORS) })),
    FILES_ROOM,
  );
  const briefs: FunctionBrief[] = fit([...found.briefs], BRIEFS_ROOM);
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
