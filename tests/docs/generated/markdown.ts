/** A table as the pages of the documentation write it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Words that somebody else has written, so that no sign of theirs is taken for markup. */
export const plain = (words: string): string =>
  words
    .trim()
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll(/([*_[\]{}])/g, "\\$1")))
    .join("")
    .replaceAll(/\s*\n\s*/g, " ");

/** A page: its parts with a line between them. */
export const page = (...parts: readonly string[]): string => `${parts.join("\n\n")}\n`;

/** What stands at the top of a page that nobody should write in. */
export const GENERATED =
  "<!-- Written by docs/reference.mjs from the sources; tests/docs/generated/ has the words. -->";

const UNITS: Readonly<Record<"Bytes" | "Ms", readonly (readonly [size: number, unit: string])[]>> = {
  Bytes: [
    [1024 * 1024, "MiB"],
    [1024, "KiB"],
  ],
  Ms: [
    [3_600_000, "h"],
    [60_000, "min"],
    [1000, "s"],
    [1, "ms"],
  ],
};

/** The value of a limit in the largest unit that leaves it whole. */
export function quantity(name: string, value: number): string {
  const units = /(?:M|_m)s$/.test(name) ? UNITS.Ms : /bytes$/i.test(name) ? UNITS.Bytes : [];
  const [size, unit] = units.find(([one]) => value >= one && value % one === 0) ?? [1, ""];
  return `${(value / size).toLocaleString("en-US")}${unit && ` ${unit}`}`;
}
