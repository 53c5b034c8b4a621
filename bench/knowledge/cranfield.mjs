import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { mean, measure, ways } from "./measures.mjs";
import { root } from "./pack.mjs";

/** The queries that parameters may be chosen by; the others only tell how good the choice was. */
const TUNING = 112;
/** What one call takes. */
const AT_ONCE = 500;

const folder = path.join(root, "../shared/cranfield");

/** The records of a file in which ".I" begins one and ".T", ".W" … its fields. */
function recordsOf(/** @type {string} */ file) {
  /** @type {Record<string, string>[]} */
  const records = [];
  let field = "";
  for (const line of readFileSync(path.join(folder, file), "latin1").split(/\r?\n/)) {
    const mark = /^\.([A-Z])(?:\s|$)/.exec(line)?.[1];
    if (mark === "I") records.push({ I: line.slice(2).trim() });
    const record = records.at(-1);
    if (mark !== undefined || record === undefined) field = mark ?? "";
    else record[field] = `${record[field] ?? ""}${line}\n`;
  }
  return records;
}

const flat = (/** @type {string | undefined} */ text) => (text ?? "").replaceAll(/\s+/g, " ").trim();

/**
 * How well abstracts are found that people have judged: by each way of searching, on both halves of the queries.
 * @param {import("./pack.mjs").OpenPack} pack
 * @returns {Promise<{ way: string, tuning: import("./measures.mjs").Measures, rest: import("./measures.mjs").Measures }[] | undefined>}
 */
export async function measureCranfield({ call }) {
  if (!existsSync(folder)) return undefined;
  const texts = recordsOf("cran.all.1400").map(({ I, T, W }) => ({
    name: `${I}.txt`,
    title: flat(T) || `Abstract ${I}`,
    text: W?.trim() || flat(T) || "-",
  }));
  await call("kb_create", { name: "cranfield" });
  for (let start = 0; start < texts.length; start += AT_ONCE)
    await call("kb_ingest", { collection: "cranfield", texts: texts.slice(start, start + AT_ONCE) });
  const queries = recordsOf("cran.qry").map(({ W }) => ({ text: flat(W), relevant: new Set() }));
  for (const line of readFileSync(path.join(folder, "cranqrel"), "utf8").split("\n")) {
    const [query, document, grade] = line.trim().split(/\s+/);
    if (grade !== undefined && grade !== "-1") queries[Number(query) - 1]?.relevant.add(`${document}.txt`);
  }
  const rows = [];
  for (const { name, args } of ways) {
    const all = [];
    for (const { text, relevant } of queries) {
      const asked = { collection: "cranfield", query: text, top_k: 20, ...args };
      const { results } = await call("kb_hybrid_search", asked);
      // A long abstract has several passages: its best one counts.
      const sources = [...new Set(results.map((hit) => hit.citation.source_path))];
      const found = sources.map((source) => (relevant.has(source) ? [source] : []));
      all.push(measure(found, relevant.size));
    }
    rows.push({ way: name, tuning: mean(all.slice(0, TUNING)), rest: mean(all.slice(TUNING)) });
  }
  return rows;
}
