import { ToolError } from "@toolwright/engine";
import { type BlamedLine, openRepository, type Repository, readBlame } from "@toolwright/kit/git";
import type { Analysis } from "../analysis.js";
import type { AnalysisCall } from "../project/project.js";

/** A range of lines in a file. */
export interface LineRange {
  readonly realPath: string;
  readonly line: number;
  readonly end_line: number;
}

/** The authors of line ranges. */
export interface BlameResult {
  /** The lines of each range; none for a range that git does not know. */
  readonly lines: ReadonlyMap<LineRange, readonly BlamedLine[]>;
  /** How many ranges were left out because of the limits. */
  readonly leftOut: number;
  /** Why there is no history; undefined = there is. */
  readonly failure?: string;
  readonly isShallow: boolean;
}

/** Each range costs a process, and git walks the history of its file. */
const MAX_RANGES = 400;
const MAX_LINES = 1000;
const MAX_MS = 20_000;
const CONCURRENCY = 4;

/** Reads the authors of line ranges, the first ranges first. Without a repository the result has a failure. */
export async function blameLines(
  analysis: Analysis,
  call: AnalysisCall,
  path: string,
  ranges: readonly LineRange[],
): Promise<BlameResult> {
  const lines = new Map<LineRange, readonly BlamedLine[]>();
  if (ranges.length === 0) return { lines, leftOut: 0, isShallow: false };
  const repository = await catchToolError(call, async () =>
    openRepository(await analysis.fileAccess(call), path, call),
  );
  if (repository instanceof ToolError) return { lines, leftOut: 0, failure: repository.message, isShallow: false };
  const end = performance.now() + MAX_MS;
  const pending = ranges.slice(0, MAX_RANGES).toReversed();
  const total = pending.length;
  const work = async (): Promise<void> => {
    for (let range = pending.pop(); range !== undefined && performance.now() < end; range = pending.pop()) {
      lines.set(range, await blameRange(repository, call, range));
      call.onProgress?.({ stage: "Reading authors", done: lines.size, total, unit: "ranges" });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { lines, leftOut: ranges.length - lines.size, isShallow: repository.isShallow };
}

/** A range that is not committed has no lines. */
async function blameRange(
  repository: Repository,
  call: AnalysisCall,
  { realPath, line, end_line }: LineRange,
): Promise<readonly BlamedLine[]> {
  const found: BlamedLine[] = [];
  const end = Math.min(end_line, line + MAX_LINES - 1);
  const read = await catchToolError(call, async () => {
    const name = await repository.nameOf(realPath);
    for (let start: number | undefined = line; start !== undefined && start <= end; ) {
      const page = await readBlame(repository, { name, commit: undefined, start, limit: end - start + 1 });
      found.push(...page.lines);
      start = page.next;
    }
    return found;
  });
  return read instanceof ToolError ? [] : read;
}

/** Returns a `ToolError` instead of throwing it, unless the call was cancelled. */
async function catchToolError<Value>(call: AnalysisCall, action: () => Promise<Value>): Promise<Value | ToolError> {
  try {
    return await action();
  } catch (error) {
    if (call.signal.aborted || !(error instanceof ToolError)) throw error;
    return error;
  }
}
