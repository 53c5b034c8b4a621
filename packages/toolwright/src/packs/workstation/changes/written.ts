import type { Reach } from "../../../files/reach.js";
import { hashOf } from "../../../files/text.js";
import { unifiedDiff } from "../../../files/unified-diff.js";
import type { Made } from "./changes.js";
import type { draftWrite } from "./drafts.js";
import { cutDiff, textOf } from "./text-of.js";

const MOST_DIFF = 16_000;

/** The members of `MADE`. */
export function toMade(made: Made | undefined): { change?: number; transaction?: string; note?: string } {
  if (made === undefined) return { note: "Nothing to do: it is so already." };
  const { change, transaction, canUndo } = made;
  return {
    change,
    ...(transaction !== undefined && { transaction }),
    ...(!canUndo && { note: "This cannot be undone: the old content was too large for the journal." }),
  };
}

/** A result of the form `WRITTEN`. */
export async function toWritten(
  reach: Reach,
  { drafted, made }: { readonly drafted: Awaited<ReturnType<typeof draftWrite>>; readonly made: Made | undefined },
) {
  const { place, before, bytes } = drafted;
  const shown = reach.show(place);
  const [old, fresh] = [textOf(before.bytes), textOf(bytes)];
  const diff = old === undefined || fresh === undefined ? "" : await unifiedDiff(shown, old, fresh);
  return {
    path: shown,
    created: before.state.kind === "absent",
    hash: hashOf(bytes),
    size: bytes.length,
    ...toMade(made),
    ...(diff !== "" && { diff: cutDiff(diff, MOST_DIFF) }),
  };
}
