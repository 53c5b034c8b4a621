import { ToolError } from "@toolwright/engine";

/** The argument with which a list is continued. */
export const CURSOR = { type: "string", description: "next_cursor of the previous page" } as const;

/** The result member with which a list is continued. */
export const NEXT_CURSOR = {
  type: "string",
  description: "The cursor of the next page; none on the last one",
} as const;

/** The error for a cursor that no page of this list has returned. */
export const invalidCursor = (cursor: string): ToolError =>
  new ToolError(
    `Invalid cursor ${JSON.stringify(cursor.slice(0, 100))}: use next_cursor of the previous page with the same arguments, or start without one.`,
    { code: "INVALID_ARGUMENT", details: { cursor: cursor.slice(0, 100) } },
  );

/** The numbers in a cursor, such as the position of an entry and a line in it. Throws if the cursor is from another list. */
export function parseCursor(cursor = "0", count = 1): readonly number[] {
  const parts = cursor.split(":");
  if (parts.length > count || !parts.every((part) => /^\d{1,15}$/.test(part))) throw invalidCursor(cursor);
  return Array.from({ length: count }, (_, index) => Number(parts[index] ?? 0));
}

/** The position in a list that a cursor encodes. */
export const offsetOf = (cursor: string | undefined): number => parseCursor(cursor)[0] ?? 0;

/** The result member for the cursor of the next page, if there is one. */
export const nextCursor = (...position: readonly (number | string | undefined)[]): { readonly next_cursor?: string } =>
  position[0] === undefined ? {} : { next_cursor: position.filter((part) => part !== undefined).join(":") };

/** The result member for the cursor of the page after the first `end` of `total` entries; none after the last one. */
export const nextOffset = (end: number, total: number): { readonly next_cursor?: string } =>
  nextCursor(end < total ? end : undefined);
