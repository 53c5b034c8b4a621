import { nearest } from "@toolwright/kit/text/nearest.js";
import type { Deed } from "../task/bench.js";
import { DEEDS, SYNONYMS } from "../task/deeds.js";
import { list, next } from "../task/list.js";
import { readTaskWords } from "../task/options.js";
import { withDesk } from "../task/with-desk.js";
import type { ReadTold } from "../told-settings.js";
import { UsageError } from "../usage-error.js";

type Name = keyof typeof DEEDS;

/** How each is brought; those that are asked for less often are not even read. */
const LOADERS: Readonly<Record<Name, () => Deed | Promise<Deed>>> = {
  list: () => list,
  next: () => next,
  add: async () => (await import("../task/add.js")).add,
  show: async () => (await import("../task/show.js")).show,
  edit: async () => (await import("../task/change.js")).edit,
  start: async () => (await import("../task/change.js")).start,
  done: async () => (await import("../task/change.js")).done,
  fail: async () => (await import("../task/change.js")).fail,
  block: async () => (await import("../task/blocking.js")).block,
  unblock: async () => (await import("../task/blocking.js")).unblock,
  rm: async () => (await import("../task/remove.js")).remove,
  tree: async () => (await import("../task/tree.js")).tree,
  claim: async () => (await import("../task/claim.js")).claim,
  release: async () => (await import("../task/claim.js")).release,
  search: async () => (await import("../task/search.js")).search,
  history: async () => (await import("../task/history.js")).history,
  undo: async () => (await import("../task/undo.js")).undo,
  check: async () => (await import("../task/check.js")).check,
  export: async () => (await import("../task/transfer.js")).exportAll,
  import: async () => (await import("../task/transfer.js")).importAll,
};

/** Does what follows `task`: keeps the tasks that people and agents share. `readTold` reads the configuration, where there is one. */
export async function runTask([name, ...words]: readonly string[], readTold: ReadTold): Promise<void> {
  if (name === "complete-ids") return (await import("../task/complete-ids.js")).completeIds(words, readTold);
  if (name === undefined) throw new UsageError(`task needs one of ${Object.keys(DEEDS).join(", ")}`);
  if (!isName(name)) throw new UsageError(unknownDeed(name));
  const {
    takes,
    words: [least, most],
    ...deed
  } = DEEDS[name];
  const { options, plain } = readTaskWords(name, words, takes);
  if (plain.length < least) throw new UsageError(`task ${name} needs ${"needs" in deed ? deed.needs : "a word"}`);
  const stray = plain[most];
  if (stray !== undefined)
    throw new UsageError(
      most === 0 ? `task ${name} takes no "${stray}"` : `task ${name} takes one word; "${stray}" is one too many`,
    );
  await withDesk(options, plain, await LOADERS[name](), readTold, "isFirst" in deed);
}

const isName = (name: string): name is Name => Object.hasOwn(DEEDS, name);

function unknownDeed(name: string): string {
  const meant = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : nearest(name, Object.keys(DEEDS));
  return `"task ${name}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}
