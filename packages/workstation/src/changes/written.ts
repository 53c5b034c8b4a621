import { type FileAccess, hashOf, unifiedDiff } from "@toolwright/kit/files";
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
    ...(!canUndo && { note: transaction === undefined ? NO_UNDO : `${NO_UNDO} ${NO_ROLLBACK}` }),
  };
}

const NO_UNDO = "This cannot be undone: the old content was too large for the journal.";
const NO_ROLLBACK = "A rollback needs force: true, and leaves it out.";

/** A result of the form `WRITTEN`. */
export async function toWritten(
  reach: FileAccess,
  { drafted, made }: { readonly drafted: Awaited<ReturnType<typeof draftWrite>>; readonly made: Made | undefined },
  remark?: string,
) {
  const { place, before, bytes } = drafted;
  const shown = reach.displayPath(place);
  const [old, fresh] = [textOf(before.bytes), textOf(bytes)];
  const areTexts = old !== undefined && fresh !== undefined;
  const diff = areTexts ? await unifiedDiff(shown, old, fresh) : "";
  const isFormOnly = areTexts && diff === "" && made !== undefined;
  const told = toMade(made);
  const notes = [told.note, remark, isFormOnly ? "Only the encoding or the byte order mark has changed." : undefined];
  const note = notes.filter((each) => each !== undefined).join(" ");
  return {
    path: shown,
    created: before.state.kind === "absent",
    hash: hashOf(bytes),
    size: bytes.length,
    ...told,
    ...(note !== "" && { note }),
    ...(diff !== "" && { diff: cutDiff(diff, MOST_DIFF) }),
  };
}
