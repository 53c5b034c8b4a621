import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { quantile } from "../stats.mjs";
import { pageOf, randomFrom, vocabularyOf, zipf } from "./synthetic.mjs";

/** Words of a page, which is about 25 passages of the default size. */
const PAGE_WORDS = 5000;
const PASSAGES_A_PAGE = 25;
const WARM = 50;
const COUNTED = 200;

/** Writes pages until there are about so many passages; says how many bytes. */
function writePages(/** @type {string} */ folder, /** @type {number} */ passages, /** @type {() => string} */ next) {
  let bytes = 0;
  for (let page = 0; page < passages / PASSAGES_A_PAGE; page++) {
    const below = path.join(folder, String(page % 100));
    mkdirSync(below, { recursive: true });
    const text = pageOf(PAGE_WORDS, next);
    bytes += text.length;
    writeFileSync(path.join(below, `${page}.md`), text);
  }
  return bytes;
}

/**
 * How long a search takes inside the server, and how fast pages are taken in, with and without vectors.
 * @param {import("./pack.mjs").OpenPack} pack
 * @param {number} passages
 */
export async function measureLatency({ call, folder }, passages) {
  const random = randomFrom(7);
  const words = vocabularyOf(60_000, random);
  const next = zipf(words, random);
  const pages = path.join(folder, "pages");
  const bytes = writePages(pages, passages, next);
  const speeds = {};
  for (const [name, embed] of /** @type {const} */ ([
    ["words", false],
    ["both", true],
  ])) {
    await call("kb_create", { name });
    const start = performance.now();
    speeds[name] = { ...(await call("kb_ingest", { collection: name, paths: [pages], embed })), ms: 0 };
    speeds[name].ms = performance.now() - start;
  }
  rmSync(pages, { recursive: true });
  const rows = [];
  for (const { name, args } of [
    { name: "hybrid", args: {} },
    { name: "hybrid, no feedback", args: { expand: false } },
    { name: "words", args: { mode: "words", expand: false } },
    { name: "vector", args: { mode: "vector" } },
    { name: "phrase", args: { expand: false }, isPhrase: true },
  ]) {
    const times = [];
    for (let asked = 0; asked < WARM + COUNTED; asked++) {
      const some = Array.from({ length: 3 + (asked % 6) }, next);
      const query = name === "phrase" ? `"${some.slice(0, 2).join(" ")}" ${some[2]}` : some.join(" ");
      const { performance_metrics: spent } = await call("kb_hybrid_search", { collection: "both", query, ...args });
      if (asked >= WARM) times.push(spent.total_ms);
    }
    rows.push({ name, p50: quantile(times, 0.5), p95: quantile(times, 0.95), most: Math.max(...times) });
  }
  return { rows, chunks: speeds.both.chunks, megabytes: bytes / 1e6, words: speeds.words.ms, both: speeds.both.ms };
}
