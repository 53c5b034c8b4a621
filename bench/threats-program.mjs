// Asks the built-in threat patterns, and prints what that costs as JSON. Arguments: the folder of the built parts, the folder of the
// program with its compiled patterns, the folder of the patterns as they are written.
import { cpSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , built = "", dist = "", corpus = ""] = process.argv;
// The parts look for what the build has compiled beside themselves.
for (const name of ["threats", "tokens", "grammars"])
  cpSync(path.join(dist, name), path.join(built, name), { recursive: true });
const load = (/** @type {string} */ name) => import(pathToFileURL(path.join(built, `${name}.js`)).href);
const [{ builtInCorpus, cacheIndex }, { Library }, { query }, { runReview }] = await Promise.all(
  ["corpus", "library", "query", "review"].map(load),
);

const BUDGET = 500;
const NOTHING = { patterns: [], diagnostics: [], files: 0 };
const openLibrary = () => new Library(cacheIndex(builtInCorpus), async () => NOTHING);

/** CPU of this process in ms. */
async function cpuOf(/** @type {() => Promise<unknown>} */ work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const library = openLibrary();
const loaded = await cpuOf(() => library.readAll());

/** The questions that the patterns bring along for their own tests. */
const questions = readdirSync(corpus, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .flatMap((name) => {
    const [, finds = ""] = /finds:([\s\S]*?)\n {6}ignores:/.exec(readFileSync(path.join(corpus, name), "utf8")) ?? [];
    return [...finds.matchAll(/"([^"]+)"/g)].map(([, question]) => question ?? "");
  });
if (questions.length < 100) throw new Error(`only ${questions.length} questions were found in ${corpus}`);

let tokens = 0;
const ask = async (/** @type {string} */ context) => {
  const answer = await query(library, BUDGET, { context, language: "typescript" });
  tokens = Math.max(tokens, answer.token_count);
};
for (const question of questions) await ask(question);
const asked = await cpuOf(async () => {
  for (const question of questions) await ask(question);
});

const line = (/** @type {number} */ at) =>
  `export const read${at} = (id) => db.query(\`SELECT * FROM a WHERE id = \${id}\`);`;
const text = Array.from({ length: 100 }, (_, at) => line(at)).join("\n");
const look = () =>
  runReview(library, { texts: [{ path: "a.ts", text }] }, { limit: 20 }, () => Promise.reject(new Error("no files")));
await look();
const reviewed = await cpuOf(async () => {
  for (let time = 0; time < 5; time++) await look();
});

const { size } = await library.entries();
process.stdout.write(
  JSON.stringify({
    patterns: size,
    load: loaded,
    query: asked / questions.length,
    tokens,
    budget: BUDGET,
    review: reviewed / 5,
  }),
);
