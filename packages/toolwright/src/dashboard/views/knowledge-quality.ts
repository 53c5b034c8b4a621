import type { Version } from "@toolwright/knowledge/collections/collection.js";
import { barChart } from "../charts.js";
import { html, type Piece } from "../html.js";
import { table } from "./knowledge-parts.js";

/** The two measures that the chart has. */
const DRAWN = ["recall@10", "ndcg@10"] as const;
const ALL = ["recall@1", "recall@5", "recall@10", "precision@10", "mrr", "ndcg@10"] as const;
const NAMES: Readonly<Record<string, string>> = { mrr: "MRR", "ndcg@10": "nDCG@10" };

/** More than that is no picture any more. */
const MOST = 20;

/** How well each version answers the questions that are kept with a collection, the oldest first. */
export function qualityChart(versions: readonly Version[]): Piece {
  const measured = versions
    .flatMap(({ number, quality }) => (quality === null ? [] : [{ number, quality }]))
    .slice(0, MOST);
  if (measured.length === 0)
    return html`<section><h2>Quality over versions</h2><p class="none">Not measured yet: <code>toolwright kb evaluate</code> asks questions whose answers are known</p></section>`;
  const inOrder = measured.toReversed();
  const bars = inOrder.map(({ number, quality }) => ({
    name: `version ${number}`,
    values: DRAWN.map((name) => valueOf(quality, name) ?? 0),
  }));
  return html`<figure class="chart"><figcaption><strong>Quality over versions</strong> <span class="legend"><span class="key">recall@10</span> <span class="key b">nDCG@10</span></span></figcaption>
${barChart(bars, ["recall@10", "nDCG@10"], (name) => name.replace("version ", "v"))}
<details data-key="quality"><summary>The same as a table</summary>${table(
    "Quality over versions",
    ["Version", "Questions", ...ALL.map((name) => NAMES[name] ?? name)],
    measured.map(({ number, quality }) => [
      number,
      valueOf(quality, "questions"),
      ...ALL.map((name) => valueOf(quality, name)?.toFixed(3)),
    ]),
  )}</details></figure>`;
}

function valueOf(quality: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = quality[name];
  return typeof value === "number" ? value : undefined;
}
