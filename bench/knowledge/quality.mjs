import { existsSync } from "node:fs";
import path from "node:path";
import { measureCranfield } from "./cranfield.mjs";
import { measureGolden } from "./golden.mjs";
import { root } from "./pack.mjs";
import { above, atLeast, table } from "./table.mjs";

/** @typedef {import("./measures.mjs").Measures} Measures */
/** @typedef {{ way: string, tuning: Measures, rest: Measures }} Row */
/** @typedef {{ embedder: string, cranfield: Row[] | undefined, golden: Row[] | undefined }} Quality */

/** Where the model is installed for tests, unless the environment names a place. */
function findModels() {
  const folders = [process.env["TOOLWRIGHT_MODELS"], path.join(root, "node_modules/.cache/models")];
  return folders.find((folder) => folder && existsSync(path.join(folder, "all-MiniLM-L6-v2-q8")));
}

/**
 * Measures both collections with the built-in embedder, and with all-MiniLM-L6-v2 where that is installed.
 * @param {(settings: object) => Promise<import("./pack.mjs").OpenPack>} open
 * @returns {Promise<Quality[]>}
 */
export async function measureQuality(open) {
  const models = findModels();
  if (models !== undefined) process.env["TOOLWRIGHT_MODELS"] = models;
  const all = [];
  for (const embedder of models === undefined ? ["static"] : ["static", "minilm"]) {
    const pack = await open({ embedder });
    try {
      all.push({ embedder, cranfield: await measureCranfield(pack), golden: await measureGolden(pack) });
    } finally {
      await pack.close();
    }
  }
  return all;
}

function quality(/** @type {Row[]} */ rows, /** @type {string[]} */ halves) {
  const heads = halves.flatMap((half) => [`nDCG@10 ${half}`, `recall@10 ${half}`, `MRR ${half}`]);
  const cells = (/** @type {Measures} */ { ndcg, recall, mrr }) => [ndcg, recall, mrr].map((value) => value.toFixed(4));
  return table(
    ["way", ...heads],
    rows.map(({ way, tuning, rest }) => [way, ...cells(tuning), ...cells(rest)]),
  );
}

/** The tables of what was measured. */
export function qualityTables(/** @type {Quality[]} */ all) {
  return all.flatMap(({ embedder, cranfield, golden }) => [
    `## Cranfield, embedder ${embedder}: 1,400 abstracts, 225 queries; parameters were chosen by queries 1-112 and the tuning questions`,
    cranfield === undefined ? "Left out: ../shared/cranfield is not there." : quality(cranfield, ["1-112", "113-225"]),
    `## This project's own pages, embedder ${embedder}; parameters were chosen by the tuning questions`,
    golden === undefined
      ? "Left out: packages/knowledge/test/golden is not there."
      : quality(golden, ["tuning", "held out"]),
  ]);
}

/** What was promised, beside what is; by the queries that nothing was chosen by. */
export function qualityBars(/** @type {Quality[]} */ all) {
  return all.flatMap(({ embedder, cranfield, golden }) => {
    const bars = [];
    if (cranfield !== undefined) {
      if (embedder === "static")
        bars.push(atLeast("Cranfield, words alone, nDCG@10", of(cranfield, "words").ndcg, 0.38));
      bars.push(atLeast(`Cranfield, hybrid, ${embedder}, nDCG@10`, of(cranfield, "hybrid").ndcg, 0.43));
      bars.push(beyondLegs(`Cranfield, hybrid, ${embedder}, nDCG@10`, cranfield, "ndcg"));
    }
    if (golden !== undefined) {
      bars.push(above(`own pages, hybrid, ${embedder}, recall@10`, of(golden, "hybrid").recall, 0.9));
      bars.push(beyondLegs(`own pages, hybrid, ${embedder}, recall@10`, golden, "recall"));
      bars.push(beyondLegs(`own pages, hybrid, ${embedder}, nDCG@10`, golden, "ndcg"));
    }
    return bars;
  });
}

const of = (/** @type {Row[]} */ rows, /** @type {string} */ wanted) =>
  /** @type {Row} */ (rows.find(({ way }) => way === wanted)).rest;

/** Both legs together have to be better than each alone. */
function beyondLegs(/** @type {string} */ what, /** @type {Row[]} */ rows, /** @type {keyof Measures} */ key) {
  const best = Math.max(of(rows, "words")[key], of(rows, "vector")[key]);
  return above(`${what}, against its better leg`, of(rows, "hybrid")[key], best);
}
