import { ToolError } from "@toolwright/engine";

/** The longest text of each kind, in characters. */
export const LONGEST = { description: 10_000, context: 50_000, result: 50_000, reason: 2000, actor: 200 } as const;

/**
 * A text that both databases keep as it is. Throws where it is too long, or has NUL in it, which one of them refuses; halves of
 * characters become the mark for what cannot be read.
 */
export function plainText(name: keyof typeof LONGEST, text: string): string {
  if (text.includes("\0")) throw wrongText(name, "it has a NUL character in it. Leave that out");
  if (text.length > LONGEST[name])
    throw wrongText(name, `it has ${text.length} characters, and ${LONGEST[name]} are the most`);
  if (name === "description" && text.trim() === "") throw wrongText(name, "it is empty. Say what is to be done");
  return wholeCharacters(text);
}

/** A text without halves of characters. */
export const wholeCharacters = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, "\u{FFFD}");

const wrongText = (name: string, why: string): ToolError =>
  new ToolError(`Cannot take this ${name}: ${why}.`, { code: "INVALID_ARGUMENT", details: { argument: name } });
