import { toLines } from "./find-loose.js";

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

/**
 * Indents a new text like the text that it replaces: each indentation of the text that was looked for becomes the one that was found
 * instead, and deeper or shallower lines keep their distance.
 */
export function reindent(fresh: string, wanted: string, found: readonly string[]): string {
  const known = new Map<string, string>();
  for (const [at, { text }] of toLines(wanted).entries())
    if (text.trim() !== "" && !known.has(indentOf(text))) known.set(indentOf(text), indentOf(found[at] ?? ""));
  const units = {
    wanted: unitOf([...known.keys(), ...toLines(fresh).map(({ text }) => indentOf(text))]),
    found: unitOf([...known.values()]),
  };
  return toLines(fresh)
    .map(({ text, end }) =>
      text.trim() === "" ? end : indented(indentOf(text), known, units) + text.trimStart() + end,
    )
    .join("");
}

interface Units {
  readonly wanted: string;
  readonly found: string;
}

function indented(indent: string, known: ReadonlyMap<string, string>, units: Units): string {
  const same = known.get(indent);
  if (same !== undefined) return same;
  const above = [...known.keys()]
    .filter((each) => indent.startsWith(each))
    .sort(byLength)
    .at(-1);
  if (above !== undefined) return (known.get(above) ?? "") + inUnits(indent.slice(above.length), units);
  const below = [...known.keys()].filter((each) => each.startsWith(indent)).sort(byLength)[0];
  if (below === undefined) return indent;
  const base = known.get(below) ?? "";
  return base.slice(0, Math.max(0, base.length - inUnits(below.slice(indent.length), units).length));
}

/** Converts an indentation to the units of the text that was found. */
function inUnits(indent: string, { wanted, found }: Units): string {
  if (wanted === "" || found === "" || wanted[0] === found[0]) return indent;
  const steps = Math.round(indent.length / wanted.length);
  return found.repeat(steps);
}

/** The smallest step of some indentations: a tab, or a number of spaces. */
function unitOf(indents: readonly string[]): string {
  if (indents.some((indent) => indent.includes("\t"))) return "\t";
  const lengths = [...new Set(indents.map((indent) => indent.length))].sort((one, other) => one - other);
  const steps = lengths.map((length, at) => length - (lengths[at - 1] ?? 0)).filter((step) => step > 0);
  return " ".repeat(Math.min(...steps, lengths.at(-1) ?? 0));
}

const byLength = (one: string, other: string): number => one.length - other.length;
