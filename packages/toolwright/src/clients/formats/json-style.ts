import type { Json } from "@toolwright/engine";

/** How a value is laid out in lines. */
export interface Layout {
  /** What stands before the line in which the value begins. */
  readonly indent: string;
  readonly unit: string;
  readonly ending: string;
}

/** What stands before the first sign of the line that an offset lies in. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** What a text indents with: the indent of its first indented name, two spaces where it has none. */
export const unitOf = (text: string): string => /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";

/** Writes a value in lines, lists of plain values in one; without a layout everything is in one line. */
export function writeValue(value: Json, layout: Layout | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = layout && { ...layout, indent: layout.indent + layout.unit };
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((each) => writeValue(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${writeValue(each, inner)}`);
  if (parts.length === 0) return `${open}${close}`;
  const inOneLine = `${open}${parts.join(", ")}${close}`;
  const isPlainList = Array.isArray(value) && value.every((each) => typeof each !== "object");
  if (layout === undefined || inner === undefined || isPlainList)
    return layout === undefined && !Array.isArray(value) ? `{ ${parts.join(", ")} }` : inOneLine;
  const lines = parts.map((part) => `${inner.indent}${part}`).join(`,${layout.ending}`);
  return `${open}${layout.ending}${lines}${layout.ending}${layout.indent}${close}`;
}
