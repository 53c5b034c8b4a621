/** Two texts that were made from a third. */
export interface ThreeTexts {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** What stands beside the markers of a conflict. */
  readonly labels: { readonly ours: string; readonly theirs: string };
}

/** How many lines of the differing parts are compared; the comparison grows with the square where lines repeat. */
const MOST_LINES = 10_000;

/** Puts the changes of both together; where they touch the same lines, both stand between markers. */
export async function mergeThree({ base, ours, theirs, labels }: ThreeTexts): Promise<{
  readonly text: string;
  readonly conflicts: number;
}> {
  const end = /\r\n|\n/.exec(ours)?.[0] ?? "\n";
  const part = differingPart(toLines(base), toLines(ours), toLines(theirs));
  const written: string[] = [];
  let conflicts = 0;
  for (const { ok = [], conflict } of await compare(part)) {
    written.push(ok.join(""));
    if (conflict === undefined) continue;
    conflicts += 1;
    written.push(`<<<<<<< ${labels.ours}${end}`, closed(conflict.a, end), `=======${end}`);
    written.push(closed(conflict.b, end), `>>>>>>> ${labels.theirs}${end}`);
  }
  return { text: [...part.head, ...written, ...part.tail].join(""), conflicts };
}

interface Part {
  readonly base: string[];
  readonly ours: string[];
  readonly theirs: string[];
  readonly head: readonly string[];
  readonly tail: readonly string[];
}

interface Region {
  readonly ok?: string[];
  readonly conflict?: { readonly a: string[]; readonly b: string[] };
}

async function compare({ base, ours, theirs }: Part): Promise<readonly Region[]> {
  if (base.length + ours.length + theirs.length > MOST_LINES) return [{ conflict: { a: ours, b: theirs } }];
  const { diff3Merge } = await import("node-diff3");
  return diff3Merge(ours, base, theirs, { excludeFalseConflicts: true });
}

/** What is the same at both ends of all three need not be compared. */
function differingPart(base: string[], ours: string[], theirs: string[]): Part {
  const most = Math.min(base.length, ours.length, theirs.length);
  const isSame = (at: number): boolean => base.at(at) === ours.at(at) && base.at(at) === theirs.at(at);
  let head = 0;
  while (head < most && isSame(head)) head += 1;
  let tail = 0;
  while (tail < most - head && isSame(-1 - tail)) tail += 1;
  const middle = (lines: string[]): string[] => lines.slice(head, lines.length - tail);
  return {
    base: middle(base),
    ours: middle(ours),
    theirs: middle(theirs),
    head: base.slice(0, head),
    tail: base.slice(base.length - tail),
  };
}

const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** A marker needs a line of its own, whatever comes before it. */
const closed = (lines: readonly string[], end: string): string =>
  lines.join("") + (lines.at(-1)?.endsWith("\n") === false ? end : "");
