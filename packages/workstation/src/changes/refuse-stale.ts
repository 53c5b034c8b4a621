import { ToolError } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import type { Changes } from "./changes.js";
import type { Content } from "./file-state.js";
import { isExpected, staleFault } from "./stale.js";
import { textOf } from "./text-of.js";

const HASH = /^sha256:(?:[0-9a-f]{32}|[0-9a-f]{64})$/;

/** Throws where a file is not the one that the writer has read, if they say which they have. */
export async function refuseStale(
  { seen }: Pick<Workstation, "seen">,
  changes: Changes,
  write: {
    readonly shown: string;
    readonly expected: string | undefined;
    readonly disk: Content;
    /** What the writer wants, made from what they have read where that is known. */
    yours(base: string | undefined): string | undefined;
  },
): Promise<void> {
  const { shown, expected, disk } = write;
  if (expected === undefined || isExpected(disk, expected)) return;
  if (!HASH.test(expected)) {
    throw new ToolError(
      `Cannot write ${JSON.stringify(shown)}: expected_hash is no hash. Give the hash that fs_read_file gave, such as sha256:2cf2…, or leave it out.`,
      { code: "INVALID_ARGUMENT", details: { path: shown, got: expected.slice(0, 100) } },
    );
  }
  const base = seen.recall(expected) ?? (await recallFromJournal(changes, expected));
  throw await staleFault({ shown, expected, disk, base, yours: write.yours(base) });
}

async function recallFromJournal(changes: Changes, expected: string): Promise<string | undefined> {
  const { blobs } = await changes.journal();
  const hash = blobs.find(expected.slice("sha256:".length));
  return hash === undefined ? undefined : textOf(await blobs.read(hash));
}
