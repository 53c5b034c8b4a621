import type { Link } from "./graph.js";

/** Files that all use each other, directly or through others. */
export interface Cycle {
  readonly files: readonly string[];
  /** A shortest way round: it begins and ends with the same file. */
  readonly way: readonly string[];
}

/** From how many files of a large circle a shortest way is looked for. */
const MOST_STARTS = 50;

/** The circles of a graph, the largest first; what cannot close one at run time is not followed. */
export function findCycles(files: readonly string[], links: readonly Link[]): Cycle[] {
  const next = new Map<string, string[]>(files.map((file) => [file, []]));
  for (const { from, to, isWeak } of links) if (!isWeak) next.get(from)?.push(to);
  return components(next)
    .filter((each) => each.length > 1)
    .map((each) => ({ files: each.toSorted(), way: shortestWay(each.toSorted(), next) }))
    .sort((a, b) => b.files.length - a.files.length || ((a.files[0] ?? "") < (b.files[0] ?? "") ? -1 : 1));
}

/** Strongly connected components, as Tarjan finds them; without recursion, because chains of imports can be long. */
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

function shortestWay(files: readonly string[], next: ReadonlyMap<string, readonly string[]>): string[] {
  const members = new Set(files);
  let best: string[] = [];
  for (const start of files.slice(0, MOST_STARTS)) {
    const way = wayBack(start, members, next);
    if (best.length === 0 || way.length < best.length) best = way;
    if (best.length === 3) break;
  }
  return best;
}

/** The shortest way from a file back to itself. */
function wayBack(start: string, members: ReadonlySet<string>, next: ReadonlyMap<string, readonly string[]>): string[] {
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
