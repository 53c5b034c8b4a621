import type { Json } from "@toolwright/engine";
import type { Node } from "jsonc-parser";
import { endingOf } from "./format.js";
import { indentAt, type Layout, unitOf, writeValue } from "./json-style.js";

/** The text with one more member at the end of an object, which stays as it is laid out: in lines, or in one. */
export function addMember(text: string, holder: Node, name: string, value: Json): string {
  const last = holder.children?.at(-1);
  const layout = layoutOf(text, holder, last);
  const member = `${JSON.stringify(name)}: ${writeValue(value, layout)}`;
  if (last === undefined) return addFirst(text, holder, member, layout);
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const hasComma = comma !== undefined;
  if (layout === undefined) {
    const at = hasComma ? comma + 1 : end;
    return `${text.slice(0, at)}${hasComma ? " " : ", "}${member}${hasComma ? "," : ""}${text.slice(at)}`;
  }
  // A remark at the end of the line belongs to the member that stands there.
  const at = lineEndAfter(text, hasComma ? comma + 1 : end);
  const between = hasComma ? text.slice(end, at) : `,${text.slice(end, at)}`;
  return `${text.slice(0, end)}${between}${layout.ending}${layout.indent}${member}${hasComma ? "," : ""}${text.slice(at)}`;
}

/** Undefined = everything in one line: the object has members in one, or it has none and neither has the text lines. */
function layoutOf(text: string, holder: Node, last: Node | undefined): Layout | undefined {
  const inside = text.slice(holder.offset, holder.offset + holder.length);
  const isAllThere = text.slice(0, holder.offset).trim() === "";
  if (!inside.includes("\n") && (last !== undefined || !(isAllThere || text.trim().includes("\n")))) return undefined;
  const unit = unitOf(text);
  const [first] = holder.children ?? [];
  const isOnOwnLine = first !== undefined && /[\r\n][ \t]*$/.test(text.slice(0, first.offset));
  const indent = isOnOwnLine ? indentAt(text, first.offset) : indentAt(text, holder.offset) + unit;
  return { indent, unit, ending: endingOf(text) };
}

function addFirst(text: string, holder: Node, member: string, layout: Layout | undefined): string {
  const [start, end] = [holder.offset + 1, holder.offset + holder.length - 1];
  const inside = text.slice(start, end);
  if (layout === undefined) return `${text.slice(0, start)}${inside.trimEnd()} ${member} ${text.slice(end)}`;
  const outer = indentAt(text, holder.offset);
  const lines = `${layout.ending}${layout.indent}${member}${layout.ending}${outer}`;
  return `${text.slice(0, start)}${inside.trimEnd()}${lines}${text.slice(end)}`;
}

/** The text without a member, its comma, and the line that was its own. */
export function dropMember(text: string, member: Node): string {
  const siblings = member.parent?.children ?? [];
  const at = siblings.indexOf(member);
  const before = siblings[at - 1];
  let [start, end] = [member.offset, member.offset + member.length];
  const comma = commaAfter(text, end);
  if (comma !== undefined && text.slice(end, comma).trim() === "") end = comma + 1;
  const ownStart = /(?:^|\n)[ \t]*$/.exec(text.slice(0, start));
  const ownEnd = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  if (ownStart && ownEnd) {
    start = text.lastIndexOf("\n", start - 1) + 1;
    end += ownEnd[0].length;
  } else if (comma !== undefined) end += /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  else if (before === undefined) start -= /[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  else {
    // The last one of a line: what stood before it goes with the comma.
    const previous = commaAfter(text, before.offset + before.length) ?? start;
    return text.slice(0, previous) + text.slice(end);
  }
  const left = withoutLastComma(text.slice(0, start), text.slice(end), comma === undefined ? before : undefined);
  return siblings.length === 1 ? closeEmpty(left, member.parent?.offset ?? 0) : left;
}

function withoutLastComma(head: string, tail: string, before: Node | undefined): string {
  const comma = before && commaAfter(head, before.offset + before.length);
  return (comma === undefined ? head : head.slice(0, comma) + head.slice(comma + 1)) + tail;
}

/** Braces with nothing between them stand together. */
const closeEmpty = (text: string, brace: number): string =>
  text.slice(0, brace) + text.slice(brace).replace(/^\{\s*\}/, "{}");

const PASSED = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** Where the comma after an offset is, if the next sign of the grammar is one. */
function commaAfter(text: string, offset: number): number | undefined {
  PASSED.lastIndex = offset;
  const at = offset + (PASSED.exec(text)?.[0].length ?? 0);
  return text[at] === "," ? at : undefined;
}

/** The end of the line, if only remarks and spaces are before it; else the offset itself. */
function lineEndAfter(text: string, offset: number): number {
  const rest = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\r\n])*\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(text.slice(offset));
  return offset + (rest?.[0].length ?? 0);
}
