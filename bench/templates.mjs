import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildParts } from "./build-parts.mjs";
import { partsOf } from "./pack-calls.mjs";
import { cpuToAnswer, KEPT_MS, main } from "./serve-cold.mjs";
import { median } from "./stats.mjs";

/** @typedef {{ open: number, first: number, render: number, list: number }} TemplatesCost ms */

const root = fileURLToPath(new URL("..", import.meta.url));
const program = fileURLToPath(new URL("templates-program.mjs", import.meta.url));
const rounds = 7;

/** What it costs to open the pack templates, to fill in one template and to list a hundred, in fresh processes. */
export async function measureTemplates(/** @type {(line: string) => void} */ say) {
  const results = path.join(root, "bench/results");
  mkdirSync(results, { recursive: true });
  // Inside the project, so that its packages are found.
  const built = mkdtempSync(path.join(results, "templates-"));
  try {
    await buildPack(built);
    cpSync(path.join(root, "packages/toolwright/dist/templates"), path.join(built, "templates"), { recursive: true });
    return measureBuilt(built, await measureOpening(), say);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

const PACKS = ["basics", "workstation", "templates", "analysis", "todo", "knowledge", "threats"];
const servedWith = (/** @type {string} */ on) => [
  path.normalize(main),
  "serve",
  "--no-config",
  ...PACKS.flatMap((name) => ["--set", `packs.${name}=${name === on}`]),
];

/** What the pack adds to the start of the program as it ships, in turns with one that has no pack. */
async function measureOpening() {
  const [without, withIt] = [servedWith(""), servedWith("templates")];
  for (const words of [without, withIt]) await cpuToAnswer(words, KEPT_MS);
  const added = [];
  for (let round = 0; round < 2 * rounds + 1; round++) {
    const before = await cpuToAnswer(without);
    added.push((await cpuToAnswer(withIt)) - before);
  }
  return median(added);
}

const buildPack = (/** @type {string} */ outdir) => buildParts(partsOf("templates"), outdir);

function measureBuilt(
  /** @type {string} */ folder,
  /** @type {number} */ open,
  /** @type {(line: string) => void} */ say,
) {
  /** @type {TemplatesCost[]} */
  const runs = [];
  for (let round = 0; round < rounds; round++)
    runs.push(JSON.parse(execFileSync(process.execPath, [program, folder], { encoding: "utf8" })));
  const of = (/** @type {keyof TemplatesCost} */ key) => median(runs.map((run) => run[key]));
  const cost = { open, first: of("first"), render: of("render"), list: of("list") };
  say(
    `templates  opened in ${cost.open.toFixed(1)} ms, first file after ${cost.first.toFixed(1)} ms, then ${cost.render.toFixed(3)} ms a file, ${cost.list.toFixed(3)} ms for a list of 100`,
  );
  return cost;
}

/** What the pack is held to. */
export const templatesBounds = (/** @type {TemplatesCost | undefined} */ measured) => [
  { what: "templates: fill in one (CPU)", value: measured?.render, bound: 2, unit: "ms" },
  { what: "templates: list 100 (CPU)", value: measured?.list, bound: 1, unit: "ms" },
  { what: "templates: open the pack (CPU)", value: measured?.open, bound: 10, unit: "ms" },
];
