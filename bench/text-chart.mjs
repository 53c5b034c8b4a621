import { headlines } from "./headlines.mjs";
import { short } from "./report.mjs";

const width = 44;

/** The headlines as bars for a terminal, on a logarithmic scale that begins at the floor. */
export function drawTextChart(/** @type {import("./summary.mjs").Summary} */ summary, /** @type {string[]} */ servers) {
  const shownServers = servers.filter((name) => !name.startsWith("floor"));
  const groups = headlines
    .map(({ key, title, note }) => ({
      title: `${title} (${note})`,
      bars: shownServers.flatMap((name) => {
        const figure = summary.ratio(key, name, "floor");
        return figure === undefined ? [] : [{ name, value: figure.value }];
      }),
    }))
    .filter((group) => group.bars.length > 0);
  const most = Math.max(2, ...groups.flatMap((group) => group.bars.map((bar) => bar.value)));
  const lines = groups.flatMap((group) => [
    group.title,
    ...group.bars.map(({ name, value }) => {
      const length = Math.max(1, Math.round((Math.log(Math.max(value, 1)) / Math.log(most)) * width));
      return `  ${name.padEnd(8)} ${"█".repeat(length)} ${short(value)}`;
    }),
  ]);
  if (lines.length === 0) return "";
  return ["```", "× the floor, logarithmic: shorter is better", "", ...lines, "```", ""].join("\n");
}
