import { nearest } from "@toolwright/kit/text/nearest.js";
import type { Deed } from "../kb/bench.js";
import { DEEDS, SYNONYMS } from "../kb/deeds.js";
import { readKbWords } from "../kb/options.js";
import { withBase } from "../kb/with-base.js";
import { UsageError } from "../usage-error.js";

type Name = keyof typeof DEEDS;

/** How each is brought; one that is not asked for is not even read. */
const LOADERS: Readonly<Record<Name, () => Promise<Deed>>> = {
  ingest: async () => (await import("../kb/ingest.js")).ingestAll,
  search: async () => (await import("../kb/search.js")).searchAll,
  answer: async () => (await import("../kb/answer.js")).answerAll,
  get: async () => (await import("../kb/get.js")).get,
  cite: async () => (await import("../kb/cite.js")).cite,
  list: async () => (await import("../kb/list.js")).list,
  stats: async () => (await import("../kb/stats.js")).stats,
  create: async () => (await import("../kb/create.js")).create,
  versions: async () => (await import("../kb/versions.js")).versions,
  promote: async () => (await import("../kb/switch.js")).promoteOne,
  rollback: async () => (await import("../kb/switch.js")).rollBackOne,
  pin: async () => (await import("../kb/switch.js")).pinOne,
  unpin: async () => (await import("../kb/switch.js")).unpinOne,
  delete: async () => (await import("../kb/remove.js")).remove,
  evaluate: async () => (await import("../kb/evaluate.js")).evaluateOne,
  export: async () => (await import("../kb/transfer.js")).exportOne,
  import: async () => (await import("../kb/transfer.js")).importOne,
  tool: async () => (await import("../kb/tool.js")).tool,
  model: async () => (await import("../kb/model.js")).model,
};

/** Does what follows `kb`: keeps documents that people and agents search and cite. */
export async function runKb([name, ...words]: readonly string[]): Promise<void> {
  if (name === "complete-names") return (await import("../kb/complete-names.js")).completeNames(words);
  if (name === undefined) throw new UsageError(`kb needs one of ${Object.keys(DEEDS).join(", ")}`);
  if (!isName(name)) throw new UsageError(unknownDeed(name));
  const {
    takes,
    words: [least, most],
    ...deed
  } = DEEDS[name];
  const { options, plain } = readKbWords(name, words, takes);
  if (plain.filter((word) => word.trim() !== "").length < least)
    throw new UsageError(`kb ${name} needs ${"needs" in deed ? deed.needs : "a word"}`);
  const stray = plain[most];
  if (stray !== undefined)
    throw new UsageError(`kb ${name} takes ${most === 0 ? "no words" : `at most ${most}`}; "${stray}" is one too many`);
  await withBase(options, plain, await LOADERS[name](), "isFirst" in deed);
}

const isName = (name: string): name is Name => Object.hasOwn(DEEDS, name);

function unknownDeed(name: string): string {
  const meant = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : nearest(name, Object.keys(DEEDS));
  return `"kb ${name}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}
