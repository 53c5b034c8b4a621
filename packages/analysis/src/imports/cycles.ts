import type { Link } from "./graph.js";

/** Files that all import each other, directly or indirectly. */
export interface Cycle {
  readonly files: readonly string[];
  /** A shortest cycle through some of them: it begins and ends with the same file. */
  readonly way: readonly string[];
}

/** How many files of a large component are tried as the start of a shortest cycle. */
const MAX_STARTS = 50;

/** The import cycles of a graph, largest first. Weak imports are ignored. */
export function findCycles(files: readonly string[], links: readonly Link[]): Cycle[] {
  const next = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { from, to, isWeak } of links) if (!isWeak) next.get(from)?.push(to);
  return components(next)
    .filter((each) => each.length > 1)
    .map((each) => ({ files: each.toSorted(), way: shortestCycle(each.toSorted(), next) }))
    .sort((a, b) => b.files.length - a.files.length || ((a.files[0] ?? "") < (b.files[0] ?? "") ? -1 : 1));
}

/** The strongly connected components (Tarjan's algorithm), without recursion because import chains can be long. */
function components(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const [index, low, stack, onStack] = [
    new Map<string, number>(),
    new Map<string, number>(),
    [] as string[],
    new Set(),
  ];
  const found: string[][] = [];
  for (const start of next.keys()) {
    if (index.has(start)) continue;
    const open = [{ file: start, at: 0 }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { file } = top;
      if (top.at === 0) enter(file);
      const to = next.get(file)?.[top.at];
      top.at += 1;
      if (to !== undefined) {
        if (!index.has(to)) open.push({ file: to, at: 0 });
        else if (onStack.has(to)) lower(file, index.get(to) ?? 0);
        continue;
      }
      open.pop();
      const parent = open.at(-1);
      if (parent !== undefined) lower(parent.file, low.get(file) ?? 0);
      if (low.get(file) === index.get(file)) found.push(leave(file));
    }
  }
  return found;

  function enter(file: string): void {
    if (index.has(file)) return;
    low.set(file, index.size);
    index.set(file, index.size);
    stack.push(file);
    onStack.add(file);
  }

  function lower(file: string, value: number): void {
    low.set(file, Math.min(low.get(file) ?? value, value));
  }

  function leave(file: string): string[] {
    const members = stack.splice(stack.lastIndexOf(file));
    for (const member of members) onStack.delete(member);
    return members;
  }
}

function shortestCycle(files: readonly string[], next: ReadonlyMap<string, readonly string[]>): string[] {
  const members = new Set(files);
  let best: string[] = [];
  for (const start of files.slice(0, MAX_STARTS)) {
    const way = pathBack(start, members, next);
    if (best.length === 0 || way.length < best.length) best = way;
    if (best.length === 3) break;
  }
  return best;
}

/** The shortest path from a file back to itself. */
function pathBack(start: string, members: ReadonlySet<string>, next: ReadonlyMap<string, readonly string[]>): string[] {
  const before = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const to of next.get(file) ?? []) {
      if (to === start) return [...trail(file, before), start];
      if (!members.has(to) || before.has(to)) continue;
      before.set(to, file);
      queue.push(to);
    }
  }
  return [start];
}

function trail(file: string, before: ReadonlyMap<string, string>): string[] {
  const way = [file];
  for (let at = before.get(file); at !== undefined; at = before.get(at)) way.unshift(at);
  return way;
}
