import type { ImportedLine, LineFault } from "./imported-lines.js";
import type { TaskRecord } from "./task.js";

/** The lines in an order in which no task comes before its parent. */
export function parentsFirst(lines: readonly ImportedLine[]): readonly ImportedLine[] {
  const byId = new Map(lines.map((line) => [line.task.id, line]));
  const ordered = new Set<ImportedLine>();
  for (const start of lines) {
    const chain: ImportedLine[] = [];
    for (
      let line: ImportedLine | undefined = start;
      line && !ordered.has(line);
      line = byId.get(line.task.parent_id ?? "")
    )
      chain.push(line);
    for (const line of chain.toReversed()) ordered.add(line);
  }
  return [...ordered];
}

/** What is wrong with lines that name tasks which are nowhere, or that close circles with each other and with what is there. */
export function refuseCircles(
  lines: readonly ImportedLine[],
  known: ReadonlyMap<string, TaskRecord>,
  waits: ReadonlyMap<string, readonly string[]>,
): readonly LineFault[] {
  const byId = new Map(lines.map((line) => [line.task.id, line]));
  const parentOf = (id: string): readonly string[] => {
    const parent = byId.get(id)?.task.parent_id ?? (byId.has(id) ? null : (known.get(id)?.parent_id ?? null));
    return parent === null ? [] : [parent];
  };
  const blockersOf = (id: string): readonly string[] => byId.get(id)?.blocked_by ?? waits.get(id) ?? [];
  return lines.flatMap(({ line, task, blocked_by: blockedBy }) => {
    const named = [...parentOf(task.id), ...blockedBy];
    const nowhere = named.find((id) => !byId.has(id) && !known.has(id));
    if (nowhere !== undefined) return [{ line, message: `it names ${nowhere}, and there is no such task` }];
    const isCircle = [parentOf, blockersOf].some((next) => reaches(task.id, next));
    return isCircle ? [{ line, message: `${task.id} would close a circle` }] : [];
  });
}

/** Whether one comes back to where one has started. */
function reaches(start: string, next: (id: string) => readonly string[]): boolean {
  const seen = new Set(next(start));
  for (const id of seen) {
    if (id === start) return true;
    for (const further of next(id)) seen.add(further);
  }
  return false;
}
