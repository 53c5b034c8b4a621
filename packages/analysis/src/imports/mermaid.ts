import type { Cycle } from "./cycles.js";
import type { View, ViewNode } from "./view.js";

/** How complex the worst function of a file is. */
export type Heat = "low" | "medium" | "high";

/** What is drawn beside the files themselves. */
export interface Drawing {
  readonly cycles: readonly Cycle[];
  /** The complexity of files, where it is to be shown. */
  readonly heat?: ReadonlyMap<string, Heat> | undefined;
}

const CLASSES: Readonly<Record<Heat | "external", string>> = {
  low: "fill:#d8f3dc,stroke:#2d6a4f,color:#1b1b1b",
  medium: "fill:#fff3bf,stroke:#b08900,color:#1b1b1b",
  high: "fill:#ffc9c9,stroke:#c92a2a,color:#1b1b1b",
  external: "fill:#e9ecef,stroke:#868e96,color:#1b1b1b",
};

const MOST_LETTERS = 80;
const UNSEEN = "#65533;";

/** A graph in the language of Mermaid: circles in red, weak links dotted. */
export function toMermaid({ nodes, edges }: View, { cycles, heat }: Drawing): string {
  const ids = new Map(nodes.map(({ name }, index) => [name, `n${index}`]));
  const inCircle = circleOf(cycles);
  const red: number[] = [];
  const lines = edges.map(({ from, to, count, isWeak }, index) => {
    const circle = inCircle.get(from);
    if (!isWeak && circle !== undefined && circle === inCircle.get(to)) red.push(index);
    const label = count > 1 ? `|${count}|` : "";
    return `  ${ids.get(from)} ${isWeak ? "-.->" : "-->"}${label} ${ids.get(to)}`;
  });
  const classes = nodes.flatMap((node): string[] => {
    const name = node.kind === "external" ? "external" : heat?.get(node.name);
    return name === undefined ? [] : [`  class ${ids.get(node.name)} ${name}`];
  });
  const used = Object.entries(CLASSES).filter(([name]) => classes.some((each) => each.endsWith(` ${name}`)));
  return [
    "flowchart LR",
    ...nodes.map((node) => `  ${ids.get(node.name)}${boxOf(node)}`),
    ...lines,
    ...used.map(([name, style]) => `  classDef ${name} ${style}`),
    ...classes,
    ...(red.length > 0 ? [`  linkStyle ${red.join(",")} stroke:#c92a2a,stroke-width:2px`] : []),
  ].join("\n");
}

/** The number of the circle in which each file is. */
const circleOf = (cycles: readonly Cycle[]): Map<string, number> =>
  new Map(cycles.flatMap(({ files }, index) => files.map((file): [string, number] => [file, index])));

function boxOf({ name, kind, files }: ViewNode): string {
  if (kind === "external") return `(["${labelOf(name.replace(/^package /, ""))}"])`;
  return kind === "folder" ? `["${labelOf(`${name}/`)} (${files})"]` : `["${labelOf(name)}"]`;
}

/** A name as Mermaid shows it: what it could take for its own language is written as a number. */
export function labelOf(name: string): string {
  const letters = Array.from(name);
  const short =
    letters.length <= MOST_LETTERS ? letters : [...letters.slice(0, 30), "…", ...letters.slice(31 - MOST_LETTERS)];
  const label = short.map((letter) => (/[\p{L}\p{N} ._/@+,-]/u.test(letter) ? letter : coded(letter))).join("");
  // A box without words is none.
  return label.trim() === "" ? UNSEEN : label;
}

/** Signs that cannot be seen are shown as a box; they would break the line or turn the text around. */
function coded(letter: string): string {
  if (letter === "…") return letter;
  return /[\p{C}\p{Z}]/u.test(letter) ? UNSEEN : `#${letter.codePointAt(0)};`;
}
