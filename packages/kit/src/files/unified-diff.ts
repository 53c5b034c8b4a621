import type { StructuredPatchHunk } from "diff";

/** How many lines may differ before the differing part is shown as replaced as a whole: the search grows with the square. */
const MOST_EDITS = 1500;
const CONTEXT = 3;

/** What changed between two texts, in the form of `diff -u` and git; undefined = there is no file. Empty where nothing did. */
export async function unifiedDiff(
  shown: string,
  before: string | undefined,
  after: string | undefined,
): Promise<string> {
  if (before === after) return "";
  const old = before === undefined ? "/dev/null" : quote(`a/${shown}`);
  const fresh = after === undefined ? "/dev/null" : quote(`b/${shown}`);
  const hunks = await findHunks(before ?? "", after ?? "");
  return `--- ${old}\n+++ ${fresh}\n${hunks.map(writeHunk).join("")}`;
}

async function findHunks(before: string, after: string): Promise<readonly StructuredPatchHunk[]> {
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: MOST_EDITS,
  });
  return patch?.hunks ?? [replacedPart(toLines(before), toLines(after))];
}

/** All that lies between the first and the last difference, as one hunk. */
function replacedPart(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const from = Math.max(0, start - CONTEXT);
  const tail = Math.min(end, CONTEXT);
  const mark = (sign: string, lines: readonly string[]): string[] =>
    lines.flatMap((line) =>
      line.endsWith("\n") ? [sign + line.slice(0, -1)] : [sign + line, "\\ No newline at end of file"],
    );
  return {
    oldStart: from + 1,
    oldLines: before.length - end + tail - from,
    newStart: from + 1,
    newLines: after.length - end + tail - from,
    lines: [
      ...mark(" ", before.slice(from, start)),
      ...mark("-", before.slice(start, before.length - end)),
      ...mark("+", after.slice(start, after.length - end)),
      ...mark(" ", before.slice(before.length - end, before.length - end + tail)),
    ],
  };
}

const toLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function writeHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string {
  // The place of an empty part is the line before it.
  const range = (start: number, count: number): string => {
    const from = count === 0 ? start - 1 : start;
    return count === 1 ? `${from}` : `${from},${count}`;
  };
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** Names that would end the line, or be read as something else, are written as git writes them: in quotes. */
const quote = (name: string): string => (/["\\\p{Cc}]/u.test(name) ? JSON.stringify(name) : name);
