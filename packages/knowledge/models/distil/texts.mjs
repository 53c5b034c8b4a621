// The texts that the table learns from beside glosses: passages, sentences and headings of documentation.
import { createHash } from "node:crypto";
import { blocksOfComments, blocksOfJson, blocksOfText, sentencesOf } from "./blocks.mjs";
import { DOCUMENTED, readPackage } from "./packages.mjs";

/** The most of each kind that one package gives, so that no subject outweighs the others. */
const MOST = { passages: 2600, sentences: 1400, headings: 500, questions: 300 };
/** Passages end before this many characters: the teacher reads no more than 128 tokens. */
const LONGEST = 420;
/** What is longer all the same is left out: the teacher needs most of its time for it. */
const MOST_TOKENS = 80;
const SHORTEST_SENTENCE = 30;
const QUESTION = /^(?:how|what|why|when|where|which|who|can|does|is|should)\b|\?$/i;
/** Lists of what has changed are no texts that explain something. */
const LISTS_CHANGES = /release|changelog|whats_?new|changes|history/i;
/** A file that says so itself is not under its package's licence. */
const LICENSED_OTHERWISE = /Creative Commons|GNU (?:Lesser |Free |Affero )?(?:General|Documentation)/;

/** Texts of every package, each once, in an order that depends on nothing but them. `pieces` cuts them into tokens. */
export async function readTexts(sources, cache, pieces, say) {
  const all = new Set();
  for (const wanted of DOCUMENTED) {
    const before = all.size;
    const kinds = { passages: new Set(), sentences: new Set(), headings: new Set(), questions: new Set() };
    for (const { name, bytes } of await readPackage(wanted, sources, cache)) {
      if (LISTS_CHANGES.test(name)) continue;
      const source = bytes.toString("utf8");
      if (!LICENSED_OTHERWISE.test(source)) takeTexts(blocksOf(name, source), kinds);
    }
    for (const [kind, texts] of Object.entries(kinds)) for (const text of some(texts, MOST[kind])) all.add(text);
    say(`${wanted.name}: ${all.size - before} texts`);
  }
  return [...all].filter((text) => pieces.read(text).length <= MOST_TOKENS);
}

function blocksOf(name, source) {
  if (name.endsWith(".d.ts")) return blocksOfComments(source);
  return /\.(?:json|ipynb)$/.test(name) ? blocksOfJson(source) : blocksOfText(source);
}

/** Every other passage begins with the headings above it, as passages do that are searched. */
function takeTexts(blocks, { passages, sentences, headings, questions }) {
  let title;
  let heading;
  let open = "";
  let count = 0;
  const close = () => {
    const above = [...new Set([title, heading])].filter(Boolean).join(" > ");
    if (count > 1) passages.add(count % 2 === 0 && above !== "" ? `${above}\n${open}` : open);
    [open, count] = ["", 0];
  };
  for (const { isHeading, text } of blocks) {
    if (isHeading) {
      close();
      title ??= text;
      heading = text;
      (QUESTION.test(text) ? questions : headings).add(text);
      continue;
    }
    for (const sentence of sentencesOf(text)) {
      if (open.length + sentence.length > LONGEST) close();
      if (sentence.length > LONGEST) continue;
      open = open === "" ? sentence : `${open} ${sentence}`;
      count++;
      if (sentence.length >= SHORTEST_SENTENCE) (sentence.endsWith("?") ? questions : sentences).add(sentence);
    }
  }
  close();
}

/** As if drawn by lot, but always the same. */
function some(texts, most) {
  const lots = Array.from(texts, (text) => [createHash("sha256").update(text).digest("hex"), text]);
  return lots
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, most)
    .map(([, text]) => text);
}
