import { type CommandContext, UsageError } from "@toolwright/kit/cli";
import { nearest } from "@toolwright/kit/text";
import type { Deed } from "./bench.js";
import { DEEDS, SYNONYMS } from "./deeds.js";
import { readKbWords } from "./options.js";
import { withBase } from "./with-base.js";

type Name = keyof typeof DEEDS;

/** How each is brought; one that is not asked for is not even read. */
const LOADERS: Readonly<Record<Name, () => Promise<Deed>>> = {
  ingest: async () => (await import("./ingest.js")).ingestAll,
  search: async () => (await import("./search.js")).searchAll,
  answer: async () => (await import("./answer.js")).answerAll,
  get: async () => (await import("./get.js")).get,
  cite: async () => (await import("./cite.js")).cite,
  list: async () => (await import("./list.js")).list,
  stats: async () => (await import("./stats.js")).stats,
  create: async () => (await import("./create.js")).create,
  versions: async () => (await import("./versions.js")).versions,
  promote: async () => (await import("./switch.js")).promoteOne,
  rollback: async () => (await import("./switch.js")).rollBackOne,
  pin: async () => (await import("./switch.js")).pinOne,
  unpin: async () => (await import("./switch.js")).unpinOne,
  delete: async () => (await import("./remove.js")).remove,
  evaluate: async () => (await import("./evaluate.js")).evaluateOne,
  export: async () => (await import("./transfer.js")).exportOne,
  import: async () => (await import("./transfer.js")).importOne,
  tool: async () => (await import("./tool.js")).tool,
  model: async () => (await import("./model.js")).model,
};

/** Does what follows `kb`: keeps documents that people and agents search and cite. */
export async function runKb([name, ...words]: readonly string[], context: CommandContext): Promise<void> {
  if (name === "complete-names") return (await import("./complete-names.js")).completeNames(words, context);
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
  await withBase(options, plain, await LOADERS[name](), context, "isFirst" in deed);
}

const isName = (name: string): name is Name => Object.hasOwn(DEEDS, name);

function unknownDeed(name: string): string {
  const meant = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : nearest(name, Object.keys(DEEDS));
  return `"kb ${name}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}
