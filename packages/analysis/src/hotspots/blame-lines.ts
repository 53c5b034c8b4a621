import { type Call, ToolError } from "@toolwright/engine";
import { type BlamedLine, openRepository, type Repository, readBlame } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";

/** Lines of a file whose writers are asked for. */
export interface LineRange {
  /** The real path of the file. */
  readonly place: string;
  readonly line: number;
  readonly end_line: number;
}

/** Who wrote the lines that were asked for. */
export interface Blamed {
  /** The lines of each range; a range that git knows nothing of has none. */
  readonly lines: ReadonlyMap<LineRange, readonly BlamedLine[]>;
  /** How many ranges nobody looked at, for there were too many or it took too long. */
  readonly left: number;
  /** Why there is no history at all; undefined = there is. */
  readonly fault?: string;
  readonly isShallow: boolean;
}

/** Each range costs a process, and git goes back through the history of the file. */
const MOST_RANGES = 400;
const MOST_LINES = 1000;
const MOST_MS = 20_000;
const AT_ONCE = 4;

/** Asks git who wrote some lines, several ranges at once, the first ones first. Without a repository there is a reason in place of lines. */
export async function blame(
  analysis: Analysis,
  call: Pick<Call, "signal" | "supports" | "roots" | "progress">,
  path: string,
  ranges: readonly LineRange[],
): Promise<Blamed> {
  const lines = new Map<LineRange, readonly BlamedLine[]>();
  if (ranges.length === 0) return { lines, left: 0, isShallow: false };
  const opened = await attempt(call, async () => openRepository(await analysis.reach(call), path, call));
  if (opened instanceof ToolError) return { lines, left: 0, fault: opened.message, isShallow: false };
  const end = performance.now() + MOST_MS;
  const waiting = ranges.slice(0, MOST_RANGES).toReversed();
  let done = 0;
  const work = async (): Promise<void> => {
    for (let range = waiting.pop(); range !== undefined && performance.now() < end; range = waiting.pop()) {
      lines.set(range, await blameRange(opened, call, range));
      done += 1;
      call.progress(done, "asking git who wrote them", Math.min(ranges.length, MOST_RANGES));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { lines, left: ranges.length - lines.size, isShallow: opened.isShallow };
}

/** What is new, or not git's at all, has no lines. */
async function blameRange(
  repository: Repository,
  call: Pick<Call, "signal">,
  { place, line, end_line: last }: LineRange,
): Promise<readonly BlamedLine[]> {
  const found: BlamedLine[] = [];
  const end = Math.min(last, line + MOST_LINES - 1);
  const read = await attempt(call, async () => {
    const name = await repository.nameOf(place);
    for (let start: number | undefined = line; start !== undefined && start <= end; ) {
      const page = await readBlame(repository, { name, commit: undefined, start, limit: end - start + 1 });
      found.push(...page.lines);
      start = page.next;
    }
    return found;
  });
  return read instanceof ToolError ? [] : read;
}

/** What fails is told, unless the call is over. */
async function attempt<Value>(call: Pick<Call, "signal">, deed: () => Promise<Value>): Promise<Value | ToolError> {
  try {
    return await deed();
  } catch (error) {
    if (call.signal.aborted || !(error instanceof ToolError)) throw error;
    return error;
  }
}
