import { drawTreemap } from "../draw-treemap.js";
import { createHeat, showScore } from "../heat.js";
import type { Report } from "../report.js";
import type { Section } from "./section.js";

/** The project as a map of its files. */
export function mapSection({ hotspots: { files } }: Report): Section {
  const heat = createHeat(files.map(({ score }) => score));
  const steps = [0, ...heat.bounds].map(
    (from, step) => `<span class="heat-${step}"><i></i>${step === 0 ? 0 : showScore(from)}</span>`,
  );
  const legend = `<p class="legend"><span class="legend-name">Score from</span>${steps.join("")}</p>`;
  return {
    id: "map",
    name: "Map",
    html:
      files.length === 0
        ? "<p>There is nothing to show: no file could be measured.</p>"
        : [
            '<p class="about">Each tile is a file. Its area is its lines of code, its colour complexity × churn; the number is the score.<span class="with-script"> Point at a tile, or go from tile to tile with the arrow keys.</span></p>',
            legend,
            drawTreemap(files, heat, { width: 1200, height: 640, shape: "wide" }),
            drawTreemap(files, heat, { width: 400, height: 560, shape: "narrow" }),
            '<p id="detail" class="detail with-script" aria-live="polite">&nbsp;</p>',
          ].join("\n"),
  };
}
