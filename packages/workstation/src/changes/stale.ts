import { ToolError } from "@toolwright/engine";
import { mergeThree, unifiedDiff } from "@toolwright/kit/files";
import { type Content, shortHash } from "./file-state.js";
import { cutDiff, textOf } from "./text-of.js";

const MOST_DIFF = 6000;

/** A write that was made for another content than the one that is there. */
export interface StaleWrite {
  readonly shown: string;
  /** The hash that the writer has read. */
  readonly expected: string;
  readonly disk: Content;
  /** The text that the writer has read, where it is still known. */
  readonly base: string | undefined;
  /** The text that the writer wants; undefined where it cannot be told. */
  readonly yours: string | undefined;
}

/** Whether a content is the one that a writer has read. */
export const isExpected = ({ state }: Content, expected: string): boolean =>
  state.kind === "file" && (shortHash(state.hash) === expected || `sha256:${state.hash}` === expected);

/** Says what has changed since it was read, what the writer wants, and whether both go together. */
export async function staleFault({ shown, expected, disk, base, yours }: StaleWrite): Promise<ToolError> {
  const got = disk.state.kind === "file" ? shortHash(disk.state.hash) : undefined;
  const theirs = textOf(disk.bytes);
  const parts = [
    got === undefined
      ? `Cannot write ${JSON.stringify(shown)}: it is not there any more. Nothing was written.`
      : `Cannot write ${JSON.stringify(shown)}: it was changed since you read it, and is ${got} now. Nothing was written.`,
  ];
  const details: Record<string, string | boolean> = { path: shown, expected, ...(got !== undefined && { got }) };
  const show = async (name: string, words: string, one?: string, other?: string): Promise<void> => {
    const diff = cutDiff(await unifiedDiff(shown, one, other), MOST_DIFF);
    details[name] = diff;
    parts.push(`${words}\n${diff}`);
  };
  if (base !== undefined && (theirs !== undefined || got === undefined))
    await show("theirs", "What others changed since:", base, theirs);
  if (base !== undefined && yours !== undefined) await show("yours", "What you wanted:", base, yours);
  else if (theirs !== undefined && yours !== undefined)
    await show(
      "yours",
      "What you have read is not known any more. From what is there to what you wanted:",
      theirs,
      yours,
    );
  if (base !== undefined && theirs !== undefined && yours !== undefined) {
    const labels = { ours: "yours", theirs: "on disk" };
    const { conflicts } = await mergeThree({ base, ours: yours, theirs, labels });
    details["merges"] = conflicts === 0;
    parts.push(conflicts === 0 ? "Both go together: they touch different lines." : "Both touch the same lines.");
  }
  parts.push("Read it again and make your change there.");
  return new ToolError(parts.join("\n"), { code: "CONFLICT", details });
}
