import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { mean, measure, ways } from "./measures.mjs";
import { root } from "./pack.mjs";

const folder = path.join(root, "packages/knowledge/test/golden");
const unmarked = (/** @type {string} */ text) => text.replaceAll(/[`*]/g, "");

/**
 * How well passages of this project's own documentation are found.
 * @param {import("./pack.mjs").OpenPack} pack
 * @returns {Promise<{ way: string, tuning: import("./measures.mjs").Measures, rest: import("./measures.mjs").Measures }[] | undefined>}
 */
export async function measureGolden({ call }) {
  if (!existsSync(folder)) return undefined;
  const read = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8")).questions;
  const splits = { tuning: read("tuning"), rest: read("held-out") };
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: root,
    encoding: "utf8",
  })
    .trim()
    .split("\n");
  const pages = listed.filter((file) => /^(?:docs\/|[A-Z]+\.md$|bench\/README\.md$)/.test(file));
  await call("kb_create", { name: "docs" });
  await call("kb_ingest", { collection: "docs", paths: pages.map((file) => path.join(root, file)) });
  const rows = [];
  for (const { name, args } of ways) {
    const ask = async (/** @type {any[]} */ questions) => {
      const all = [];
      for (const { question, relevant } of questions) {
        const { results } = await call("kb_hybrid_search", { collection: "docs", query: question, top_k: 10, ...args });
        const found = results.map((/** @type {any} */ hit) => placesIn(hit, relevant));
        all.push(measure(found, relevant.length));
      }
      return mean(all);
    };
    rows.push({ way: name, tuning: await ask(splits.tuning), rest: await ask(splits.rest) });
  }
  return rows;
}

/** Which of the relevant places a passage has: it stands right below that heading, or has it inside. One further up does not count. */
function placesIn(/** @type {any} */ hit, /** @type {{ source: string, heading?: string }[]} */ relevant) {
  const file = hit.citation.source_path;
  const own = unmarked(hit.headings.at(-1) ?? "");
  const text = `${unmarked(hit.content)}\n`;
  return [...relevant.keys()].filter((at) => {
    const { source, heading } = relevant[at];
    if (file !== source && !file.endsWith(`/${source}`)) return false;
    if (heading === undefined) return true;
    const wanted = unmarked(heading);
    return own === wanted || text.includes(`# ${wanted}\n`);
  });
}
