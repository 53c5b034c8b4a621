// What the pack knowledge finds, and how fast: `npm run bench:kb`. Options: --passages N (100000), --only quality or speed.
import { parseArgs } from "node:util";
import { measureLatency } from "./latency.mjs";
import { buildPack } from "./pack.mjs";
import { measureQuality, qualityBars, qualityTables } from "./quality.mjs";
import { measureStart } from "./start.mjs";
import { atLeast, below, table } from "./table.mjs";

const { values } = parseArgs({
  options: { passages: { type: "string", default: "100000" }, only: { type: "string", default: "" } },
});

const say = (/** @type {string[]} */ parts) => process.stdout.write(`${parts.join("\n\n")}\n\n`);
const ms = (/** @type {number} */ value) => value.toFixed(1);
/** @type {string[][]} */
const bars = [];

const { open, drop } = await buildPack();
try {
  if (values.only !== "speed") {
    const all = await measureQuality(open);
    say(qualityTables(all));
    bars.push(...qualityBars(all));
  }
  if (values.only !== "quality") {
    const pack = await open();
    try {
      const { rows, chunks, megabytes, words, both } = await measureLatency(pack, Number(values.passages));
      const speed = (/** @type {number} */ time) => megabytes / (time / 1000);
      say([
        `## ${chunks.toLocaleString("en-US")} passages: time in the server, ms`,
        table(
          ["way", "p50", "p95", "most"],
          rows.map(({ name, p50, p95, most }) => [name, ms(p50), ms(p95), ms(most)]),
        ),
        `Ingest of ${megabytes.toFixed(0)} MB of Markdown: ${ms(speed(words))} MB/s without vectors, ${ms(speed(both))} MB/s with the built-in embedder.`,
      ]);
      const { pack: packMs, base } = await measureStart(pack.folder);
      say([
        `Start of the server: ${ms(packMs)} ms of CPU for the pack, ${ms(base)} ms for the base, which the first call opens.`,
      ]);
      const [hybrid] = rows;
      bars.push(below("hybrid, p50, ms", hybrid.p50, 20), below("hybrid, p95, ms", hybrid.p95, 60));
      bars.push(atLeast("ingest without vectors, MB/s", speed(words), 5));
      bars.push(below("opening the base, ms of CPU", base, 30));
    } finally {
      await pack.close();
    }
  }
  say(["## Bars", table(["", "bar", "is", ""], bars)]);
} finally {
  drop();
}
