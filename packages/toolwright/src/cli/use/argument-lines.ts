import { type Paint, visibleLine, widthOf, wrap } from "@toolwright/kit/terminal";

/** One argument of a tool or prompt, for people. */
export interface Row {
  /** With a star where it is required. */
  readonly name: string;
  readonly kind: string;
  readonly about: string;
}

/** With less than this beside the names, what arguments are for goes below them. */
const LEAST = 30;
const WIDEST_KIND = 24;

/** Writes arguments one below the other; what they are for is wrapped beside them. */
export function argumentLines(rows: readonly Row[], width: number, paint: Paint): string[] {
  const shown = rows.map(({ name, kind, about }) => ({ name: visibleLine(name), kind: visibleLine(kind), about }));
  const names = Math.max(0, ...shown.map(({ name }) => widthOf(name)));
  const kinds = Math.min(WIDEST_KIND, Math.max(0, ...shown.map(({ kind }) => widthOf(kind))));
  const indent = 2 + names + 2 + kinds + 2;
  const isBeside = width - indent >= LEAST;
  return shown.flatMap(({ name, kind, about }) => {
    const head = `  ${paint.cyan(name)}${pad(name, names)}  ${kind}`;
    if (about === "") return [head];
    const lines = wrap(about, isBeside ? width - indent : width - 6);
    if (!isBeside || widthOf(kind) > kinds)
      return [head, ...lines.map((line) => `${" ".repeat(isBeside ? indent : 6)}${line}`)];
    const [first = "", ...rest] = lines;
    return [`${head}${pad(kind, kinds)}  ${first}`, ...rest.map((line) => `${" ".repeat(indent)}${line}`)];
  });
}

const pad = (text: string, width: number): string => " ".repeat(Math.max(0, width - widthOf(text)));
