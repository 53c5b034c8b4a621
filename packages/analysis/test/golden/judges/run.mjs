/**
 * Runs the other programs that measure the corpus, as far as they are installed, and compares what they say with what is recorded.
 * `--record` writes down what they say; `--language go` takes one language only. Python programs are found through PYTHONPATH.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { judges as eslint } from "./eslint.mjs";
import { judges as go } from "./go.mjs";
import { judges as java } from "./java.mjs";
import { judges as lizard } from "./lizard.mjs";
import { judges as python } from "./python.mjs";
import { judges as rust } from "./rust.mjs";

const ALL = [...lizard, ...eslint, ...python, ...rust, ...go, ...java];
const folder = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { record: { type: "boolean" }, language: { type: "string" } } });

let differences = 0;
for (const file of readdirSync(path.join(folder, "expected"))) {
  const language = path.basename(file, ".json");
  if (values.language === undefined || values.language === language) await compareAll(language);
}
process.exitCode = differences > 0 ? 1 : 0;

async function compareAll(language) {
  const place = path.join(folder, "expected", `${language}.json`);
  const golden = JSON.parse(readFileSync(place, "utf8"));
  for (const judge of ALL) {
    const { name } = judge;
    if (!judge.languages.includes(language)) continue;
    const installed = await judge.version();
    console.log(`${language}: ${name} ${installed ?? "is not installed"}`);
    if (installed === undefined) continue;
    const said = await judge.measure(path.join(folder, "corpus", language), language);
    const numbers = pair(golden.functions, said);
    if (values.record) golden.tools[name] = installed;
    for (const each of golden.functions) compare(each, name, numbers.get(each));
  }
  if (values.record) writeFileSync(place, `${JSON.stringify(golden, undefined, 2)}\n`);
}

/** What a judge says of each function: those that begin in the same line are told apart by name, or else by their order. */
function pair(functions, said) {
  const found = new Map();
  const places = group(functions);
  const answers = group(said);
  for (const [place, here] of places) {
    const there = answers.get(place) ?? [];
    for (const [index, each] of here.entries()) {
      const named = there.filter(({ name }) => name !== undefined && name.split(/[.:]/).at(-1) === lastName(each));
      const answer = named.length === 1 ? named[0] : there.length === here.length ? there[index] : undefined;
      const isOther = answer?.name === "(anonymous)" && lastName(each) !== "(anonymous)";
      if (answer !== undefined && !isOther) found.set(each, pick(answer));
    }
  }
  return found;
}

function group(all) {
  const groups = new Map();
  for (const each of all) groups.set(placeOf(each), [...(groups.get(placeOf(each)) ?? []), each]);
  return groups;
}

function placeOf({ file, line }) {
  return `${file}:${line}`;
}

function lastName({ name }) {
  return name.split(".").at(-1);
}

function pick({ cyclomatic, cognitive }) {
  return { ...(cyclomatic !== undefined && { cyclomatic }), ...(cognitive !== undefined && { cognitive }) };
}

function compare(each, name, said) {
  const recorded = each.judges[name];
  if (values.record) {
    if (said === undefined) delete each.judges[name];
    else each.judges[name] = said;
  }
  if (JSON.stringify(said) === JSON.stringify(recorded)) return;
  differences++;
  console.log(`  ${placeOf(each)} ${each.name}: recorded ${JSON.stringify(recorded)}, now ${JSON.stringify(said)}`);
}
