import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "./stats.mjs";

/** @typedef {{ open: number, first: number, render: number, list: number }} TemplatesCost ms */

const root = fileURLToPath(new URL("..", import.meta.url));
const program = fileURLToPath(new URL("templates-program.mjs", import.meta.url));
const rounds = 7;

/** What it costs to open the pack templates, to fill in one template and to list a hundred, in fresh processes. */
export function measureTemplates(/** @type {(line: string) => void} */ say) {
  const dist = path.join(root, "packages/toolwright/dist");
  const built = readdirSync(dist).find((file) => /^templates-[A-Z\d]+\.js$/.test(file));
  if (built === undefined) throw new Error("the pack templates is not built: run npm run build");
  /** @type {TemplatesCost[]} */
  const runs = [];
  for (let round = 0; round < rounds; round++)
    runs.push(JSON.parse(execFileSync(process.execPath, [program, path.join(dist, built)], { encoding: "utf8" })));
  const of = (/** @type {keyof TemplatesCost} */ key) => median(runs.map((run) => run[key]));
  const cost = { open: of("open"), first: of("first"), render: of("render"), list: of("list") };
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
