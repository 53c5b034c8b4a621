import type { Passage } from "./body.js";
import { handleOf, type Kept } from "./kept.js";
import { READ_TOOL } from "./options.js";
import { example } from "./read.js";
import type { Shape } from "./shape.js";

/** What there is to say of a text that was cut. */
export interface CutText {
  readonly kept: Kept;
  readonly isKept: boolean;
  readonly head: Passage;
  readonly shape: Shape | undefined;
  /** How many blocks were put together to one text. */
  readonly blocks: number;
  readonly what: string;
}

/** Says how large a cut text is, what it looks like, and how to read on. */
export function describeCut({ kept, isKept, head, shape, blocks, what }: CutText): string {
  const { bytes, lines, expiresAt } = kept;
  const count = lines?.count ?? 0;
  const extent =
    count > 1 ? `${bytes} bytes in ${count} lines, the longest of ${lines?.longest} bytes` : `${bytes} bytes`;
  const shown = head.to === 0 ? "Nothing of it is shown" : `Shown are its first ${head.to} bytes`;
  const sentences = [`${what} is too large to show whole: it has ${extent}. ${shown}.`];
  if (blocks > 1) sentences.push(`It is ${blocks} blocks, put together with line ends between them.`);
  if (shape !== undefined) sentences.push(`Its shape: ${shape.words}.`);
  if (!isKept) return [...sentences, "The rest is not kept, for want of room. Ask for less at once."].join("\n");
  const until = new Date(expiresAt).toISOString();
  const ends = head.text.endsWith("\n") ? head.text.split("\n").length - 1 : 0;
  const onward = ends > 0 ? { from_line: ends + 1 } : { from_byte: head.to };
  sentences.push(
    `The whole is kept as ${handleOf(kept)} until ${until}. Read on with the tool ${READ_TOOL}, for example:`,
    `- the next part: ${example(kept, onward)}`,
    `- a search: ${example(kept, { search: "text" })}`,
  );
  if (shape !== undefined) sentences.push(`- one value: ${example(kept, { pointer: shape.pointer })}`);
  return sentences.join("\n");
}

/** Says that something binary was left out, and where it can be read. */
export function describeBinary(kept: Kept, word: string, why: "budget" | "room" | "message"): string {
  const what = `The ${word} (${kept.mimeType}, ${kept.bytes} bytes) is too large to show and was left out.`;
  if (why === "message") return `${what} It is not kept, for no message could hold it. Ask for a smaller one.`;
  if (why === "room") return `${what} It is not kept, for want of room. Ask for a smaller one.`;
  const until = new Date(kept.expiresAt).toISOString();
  return `${what} It can be read as the resource ${handleOf(kept)} until ${until}.`;
}

/** What stands before the words on a cut result that had to be marked as a failure. */
export const NOT_A_FAILURE =
  "Nothing failed: the tool has done its work and need not be called again. Its result is marked as an error only because " +
  "it is too large to show, and structured content cannot be shown in part.";
