/** A Markdown table whose columns line up in a terminal too. */
export function table(/** @type {string[]} */ head, /** @type {string[][]} */ rows) {
  const widths = head.map((name, column) => Math.max(name.length, 3, ...rows.map((row) => row[column].length)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(" | ")} |`;
  const rule = `|${widths.map((width, at) => (at === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

const verdict = (/** @type {boolean} */ isReached) => (isReached ? "reached" : "missed");

/** A row of the table of bars: what should be so much or more. */
export const atLeast = (/** @type {string} */ what, /** @type {number} */ value, /** @type {number} */ bar) => [
  what,
  `≥ ${+bar.toFixed(4)}`,
  String(+value.toFixed(4)),
  verdict(value >= bar),
];

/** A row of the table of bars: what should be more. */
export const above = (/** @type {string} */ what, /** @type {number} */ value, /** @type {number} */ bar) => [
  what,
  `> ${+bar.toFixed(4)}`,
  String(+value.toFixed(4)),
  verdict(value > bar),
];

/** A row of the table of bars: what should be less. */
export const below = (/** @type {string} */ what, /** @type {number} */ value, /** @type {number} */ bar) => [
  what,
  `< ${bar}`,
  String(+value.toFixed(1)),
  verdict(value < bar),
];
